/* Peterson's mutual exclusion for N processes: N - 1 rooms, in each of which the last to enter waits until nobody is in
 * this room or further in, or somebody else has entered it. In the beginning, nobody was the last. */
#ifndef N
#define N 3
#endif
#define NOBODY 255

#define BELOW(other, room) (other >= N || _pid == other || level[other % N] < room)
#define ALL_BELOW(room) \
	(BELOW(0, room) && BELOW(1, room) && BELOW(2, room) && BELOW(3, room) && BELOW(4, room) && BELOW(5, room))

byte level[N];
byte last[N] = NOBODY;
byte inside;

active [N] proctype user()
{
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
