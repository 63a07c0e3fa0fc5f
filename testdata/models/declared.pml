/* Declares a property that is checked elsewhere or not at all. */
byte x;

ltl never_two { [] (x != 2) }

active proctype P()
{
	x = 1;
	x = 2
}
