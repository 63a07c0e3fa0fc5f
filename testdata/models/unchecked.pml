/* Declares a property that is not checked. */
byte x;

active proctype P()
{
	x = 1;
	x = 2
}

never
{
	byte seen;

	do
	:: seen = x
	od
}
