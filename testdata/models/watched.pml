/* A worker that may idle for ever, watched in three ways. */
bit busy, done;

active proctype Worker()
{
	do
	:: atomic { busy = 1; done = 0 };
accept_work:
		busy = 0;
progress_done:
		done = 1
	:: skip
	od
}

/* The work is finished and never begun again. */
never {
	do
	:: done -> goto accept_rest
	:: true
	od;
accept_rest:
	do
	:: !busy
	od
}
