/* A cache coherence protocol: a write takes the line from all others, a read has the owner share it. Requests wait their turn. */
#ifndef N
#define N 4
#endif
mtype = { invalid, shared, modified };

mtype state[N] = invalid;
bool waiting[N], acknowledged[N];
byte requester = N;
bool exclusive;

active [N] proctype Cache()
{
	byte k;
	bool done;

	do
	:: atomic { state[_pid] == invalid && requester == N -> requester = _pid; exclusive = false;
		for (k : 0 .. N - 1) { acknowledged[k] = 0 } }
	:: atomic { state[_pid] != modified && requester == N -> requester = _pid; exclusive = true;
		for (k : 0 .. N - 1) { acknowledged[k] = 0 } }
	:: atomic { requester != N && requester != _pid && !acknowledged[_pid] ->
		acknowledged[_pid] = true;
		if
		:: exclusive -> state[_pid] = invalid
		:: !exclusive && state[_pid] == modified -> state[_pid] = shared
		:: else
		fi }
	:: atomic { requester == _pid ->
		done = true;
		for (k : 0 .. N - 1) { done = done && (k == _pid || acknowledged[k]) };
		if
		:: done && exclusive -> state[_pid] = modified; requester = N
		:: done && !exclusive -> state[_pid] = shared; requester = N
		:: else
		fi;
		done = false }
	:: atomic { state[_pid] == modified ->
		for (k : 0 .. N - 1) { assert(k == _pid || state[k] == invalid) } }
	:: state[_pid] == shared -> state[_pid] = invalid
	od
}
