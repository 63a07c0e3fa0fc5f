/* Peterson's mutual exclusion for N processes, the filter lock: N - 1 waiting rooms, in each of which the last to
 * enter stays until nobody is in this room or further in, or somebody else has entered it.
 *
 * Stresses: shared memory. There are no channels, and every guard reads variables of all processes.
 */
#ifndef N
#define N 3
#endif

#define BELOW(other, room) (_pid == other || level[other] < room)
#if N == 3
#define ALL_BELOW(room) (BELOW(0, room) && BELOW(1, room) && BELOW(2, room))
#elif N == 4
#define ALL_BELOW(room) (BELOW(0, room) && BELOW(1, room) && BELOW(2, room) && BELOW(3, room))
#else
#define ALL_BELOW(room) (BELOW(0, room) && BELOW(1, room) && BELOW(2, room) && BELOW(3, room) && BELOW(4, room))
#endif

byte level[N];
byte last[N];
byte inside = 0;

active [N] proctype user() {
    byte room;

    do
    :: room = 1;
        do
        :: room < N ->
            level[_pid] = room;
            last[room] = _pid;
            (last[room] != _pid || ALL_BELOW(room));
            room++
        :: else -> break
        od;
        inside++;
critical:
        assert(inside == 1);
        inside--;
        level[_pid] = 0
    od
}
