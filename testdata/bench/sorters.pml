/* Two bubble sorts at work on one array of 36 bytes, on ranges that overlap, stopped after a few passes.
 *
 * Stresses: a large global array that every other step writes to. What one sorter finds where the ranges overlap
 * depends on how far the other has come.
 */
#define SIZE 36
#ifndef RANGE
#define RANGE 20
#endif
#ifndef PASSES
#define PASSES 5
#endif

byte cell[SIZE];

proctype sorter(byte low, high) {
    byte pass = 0, i, spare;

    do
    :: pass < PASSES ->
        i = low;
        do
        :: i < high ->
            d_step {
                if
                :: cell[i] > cell[i + 1] ->
                    spare = cell[i];
                    cell[i] = cell[i + 1];
                    cell[i + 1] = spare;
                    spare = 0
                :: else
                fi
            };
            i++
        :: else -> break
        od;
        pass++
    :: else -> break
    od
}

init {
    byte i = 0;
    d_step {
        do
        :: i < SIZE -> cell[i] = (i * 11 + 5) % SIZE; i++
        :: else -> break
        od;
        i = 0
    };
    atomic {
        run sorter(0, RANGE - 1);
        run sorter(SIZE - RANGE, SIZE - 1)
    }
}
