/* Formulas: what becomes an atom, what becomes part of the automaton, and how claims are called. */
byte x, a[3];
chan q = [2] of { byte };

ltl { [] (x == 0 -> <> (x == 1)) }
ltl never_two { [] !(x == 2) }
ltl { (x == 1) U (x == 0 || P[0]@there) }
ltl guarded { [] (x < 3 && a[x] == 0) }
ltl guarded_by_implication { <> (x < 3 -> len(q) == 0) }
ltl fair { ([] <> (x == 0) && [] <> (x == 1)) -> [] <> np_ }
ltl valid { [] (x == 0 || !(x == 0)) }
ltl wrong { false }
ltl next { X (P[0]:i > 0) && (_nr_pr == 1 <-> true) }

active proctype P()
{
	byte i;
	do
	:: x = 1 - x; i++
	:: there: q!x
	:: q?i; accept_: progress: x = 0
	od
}
