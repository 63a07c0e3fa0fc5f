/* Peterson's algorithm: two processes, never both in the critical section. */
bool flag[2];
byte turn;
byte inside;

active [2] proctype P()
{
again:
	flag[_pid] = true;
	turn = 1 - _pid;
	(flag[1 - _pid] == false || turn == _pid);
	inside++;
	assert(inside == 1);
	inside--;
	flag[_pid] = false;
	goto again
}
