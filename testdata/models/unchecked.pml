/* Declares a property that is not checked. */
byte x;

active proctype P()
{
	x = 1;
	x = 2
}

never
{
	do
	:: x == 2 -> x = 0
	:: else
	od
}
