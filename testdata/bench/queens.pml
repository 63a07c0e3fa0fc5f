/* Queens that do not attack each other, placed column by column.
 *
 * The bug is that all of them can be placed. A search in depth finds a way after some hundred or thousand positions. All
 * solutions are equally deep, and a search in breadth sees tens of millions of positions before the first.
 */
#ifndef N
#define N 13
#endif

bool row[N], rising[27], falling[27];
byte column;

active proctype Player()
{
	byte here;
	do
	:: column < N ->
		here = 0;
		do
		:: here < N - 1 -> here++
		:: break
		od;
		if
		:: d_step { !row[here] && !rising[here + column] && !falling[here + N - 1 - column] ->
			row[here] = true;
			rising[here + column] = true;
			falling[here + N - 1 - column] = true;
			here = 0;
			column++ }
		:: else -> break
		fi
	:: else -> break
	od;
	assert(column < N)
}
