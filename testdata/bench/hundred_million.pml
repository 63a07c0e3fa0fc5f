/* Five counters that run up to LIMIT - 1, and a bell that the first rings and the second hears.
 *
 * A state space of more than a hundred million small states, for compact storing. The counters only grow, so no run
 * is long. The bell's channel is empty or holds the last bit of the first counter as it once was: empty, 0, or 1, but
 * not 1 while the first counter is 0. Hence there are LIMIT^4 * (3 * LIMIT - 1) states: 2,816 for LIMIT = 4, and
 * 116,220,258 for LIMIT = 33.
 */
#ifndef LIMIT
#define LIMIT 33
#endif

chan bell = [1] of { bit };

active proctype ringing() {
    byte count = 0;
end:
    do
    :: d_step { count < LIMIT - 1 -> count++ }
    :: bell!(count & 1)
    od
}

active proctype hearing() {
    byte count = 0;
end:
    do
    :: d_step { count < LIMIT - 1 -> count++ }
    :: bell?_
    od
}

active [3] proctype counting() {
    byte count = 0;
end:
    do
    :: d_step { count < LIMIT - 1 -> count++ }
    od
}
