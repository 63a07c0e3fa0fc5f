/* Processes that stir one table: each step reads a cell chosen by a running number, mixes it into the number and
 * writes another cell.
 *
 * Stresses: anything that hopes for states with parts in common. Two orders of the same steps lead to different
 * tables, so there are about as many states as there are orders, no step can be remembered, and every state has
 * another number in `mix`, which every process reads.
 */
#ifndef STEPS
#define STEPS 5
#endif
#define SIZE 16

int mix = 1;
byte table[SIZE];

active [3] proctype stirrer() {
    byte count = 0;

end:
    do
    :: d_step {
            count < STEPS ->
            mix = (mix * 1103 + 12345 + table[(mix + _pid) & 15] + 7 * _pid) & 1048575;
            table[(mix >> 4) & 15] = mix >> 8;
            count++
        }
    od
}
