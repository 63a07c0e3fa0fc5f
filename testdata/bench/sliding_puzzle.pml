/* The sliding puzzle of fifteen tiles, from the solved position.
 *
 * The bug is that no tile is where it belongs. It takes some dozens of moves to get there, by a way that nearly any long enough run
 * finds. A search in breadth sees millions of positions on shorter ways first.
 */
#ifndef WIDTH
#define WIDTH 4
#endif
#define CELLS (WIDTH * WIDTH)

byte tile[CELLS];
byte blank = CELLS - 1, at_home = CELLS - 1;

#define slide(from) \
	tile[blank] = tile[from]; \
	at_home = at_home + (tile[from] == blank) - (tile[from] == from); \
	tile[from] = CELLS; \
	blank = from; \
	assert(at_home > 0)

init {
	byte cell;
	d_step {
		do
		:: cell < CELLS - 1 -> tile[cell] = cell; cell++
		:: else -> break
		od;
		tile[CELLS - 1] = CELLS;
		cell = 0
	}
	do
	:: atomic { blank % WIDTH > 0 -> cell = blank - 1; slide(cell) }
	:: atomic { blank % WIDTH < WIDTH - 1 -> cell = blank + 1; slide(cell) }
	:: atomic { blank >= WIDTH -> cell = blank - WIDTH; slide(cell) }
	:: atomic { blank < CELLS - WIDTH -> cell = blank + WIDTH; slide(cell) }
	od
}
