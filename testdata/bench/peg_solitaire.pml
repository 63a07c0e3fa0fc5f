/* Peg solitaire on a board of five by six, with one hole.
 *
 * A peg jumps over another one into a hole, and the other one is taken away. The bug is that so few pegs are left. Any game that goes
 * on for long enough shows it, and a search in depth plays one game after the other to its end. There are tens of millions of
 * positions with more pegs, all of which a search in breadth sees first.
 */
#ifndef LEFT
#define LEFT 9
#endif
#define WIDTH 6
#define HEIGHT 5
/* A margin of two around the board, so that nobody jumps off it. */
#define ROW (WIDTH + 4)
#define hole 0
#define taken 1
#define wall 2

byte board[90] = wall;
byte pegs = WIDTH * HEIGHT - 1;

#define jump(step) \
	atomic { board[here] == taken && board[here + step] == taken && board[here + 2 * step] == hole -> \
		board[here] = hole; board[here + step] = hole; board[here + 2 * step] = taken; pegs--; \
		assert(pegs > LEFT) }

proctype Cell(byte here)
{
end:	do
	:: jump(1)
	:: jump(-1)
	:: jump(ROW)
	:: jump(-ROW)
	od
}

init {
	byte row, column;
	atomic {
		do
		:: row < HEIGHT ->
			column = 0;
			do
			:: column < WIDTH ->
				board[(row + 2) * ROW + column + 2] = taken;
				run Cell((row + 2) * ROW + column + 2);
				column++
			:: else -> break
			od;
			row++
		:: else -> break
		od;
		board[4 * ROW + 4] = hole;
		row = 0;
		column = 0
	}
}
