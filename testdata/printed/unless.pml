/* The outer escape comes first, then the inner one, then the statement itself. */
byte x;

active proctype P()
{
	{
		{ x = 1; x = 2 } unless { x == 1 -> x = 10 }
	} unless { x == 2 -> x = 20 }
}
