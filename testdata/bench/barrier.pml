/* Twelve processes that meet at a barrier again and again.
 *
 * Stresses: many processes with small values. Most of a state is where the processes are.
 */
#ifndef N
#define N 12
#endif

byte arrived = 0;
bool open_for = false;

active [N] proctype walker() {
    bool side = false;

    do
    :: atomic {
            side = !side;
            arrived++;
            if
            :: arrived == N -> arrived = 0; open_for = side
            :: else
            fi
        };
        (open_for == side)
    od
}
