/* Never claims: which steps read which states, what is accepting, and what is left unchecked. */
byte x;

/* As `spin -f '!([] p)'` prints it. */
never {
T0_init:
	do
	:: atomic { (! ((x == 0))) -> assert(!(! ((x == 0)))) }
	:: (1) -> goto T0_init
	od;
accept_all:
	skip
}

never acceptance_cycle {
	do
	:: x == 1 -> break
	:: else
	od;
accept:
	do
	:: x == 1 -> skip; skip
	:: if
	   :: x == 2 -> goto accept
	   :: goto accept
	   fi
	od
}

never ends_at_once { end: x == 1 }

never ends_at_a_label { x == 1; end: do :: x == 2 od }

never asserts { do :: assert(x < 3) od }

never prints { do :: printf("%d\n", x); x == 1 -> break :: x != 1 od }

never escapes { { x == 1; x == 2 } unless { x == 3 -> skip } }

never nested_else {
	if
	:: if
	   :: x == 1
	   :: else -> x == 2
	   fi
	:: x == 3
	:: else -> x == 4
	fi
}

never blocks_inside { atomic { x == 1; x == 2; x == 1 } }

never assigns { do :: x = 1 od }

never has_variables { byte y; do :: y == x od }

never is_a_process { do :: _pid == 0 od }

never jumps_in_one_step { d_step { x == 1; x == 1 } }

never { accept_here: do :: x != 1 od }

active proctype P() { do :: x = 1 :: x = 2 od }
