/* Values are made at one end, worked on by everybody, and passed on by handshake. With N processes there are 4 * 3^(N-2)
 * states: the first has two, the last has two, all others have three.
 */
#ifndef N
#define N 3
#endif
chan link[N] = [0] of { bit };

active proctype generator() {
    do
    :: skip; link[0]!1
    od
}

active [N-2] proctype inner() {
    do
    :: link[_pid-1]?1; skip; link[_pid]!1
    od
}

active proctype last() {
    do
    :: link[N-2]?1; skip
    od
}
