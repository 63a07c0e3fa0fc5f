/* Makes progress until it ends. A run that ends is no cycle without progress. */
byte x;

active proctype P()
{
	do
	:: x < 3 ->
progress:	x++
	:: else -> break
	od
}
