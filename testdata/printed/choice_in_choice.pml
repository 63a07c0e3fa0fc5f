/* A choice inside a choice is opened; a jump that starts an option is a step, one after a guard is not. */
byte x;

active proctype P()
{
	do
	:: x < 2 -> x++
	:: if
	   :: x == 1 -> x = 5
	   :: else -> goto done
	   fi
	:: break
	od;
	x = 7;
done:	skip
}
