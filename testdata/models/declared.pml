/* Declares a property of its runs, which is violated. */
byte x;

ltl never_two { [] (x != 2) }

active proctype P()
{
	x = 1;
	x = 2
}
