/* A scheduler of tasks that share a clock, which nobody winds up.
 *
 * Each task has so many jobs, some have more than others, and each may be given the processor at any time. A budget of time is enough
 * for most of the jobs, and not for all of them. Whatever the order, it is spent in the end: a search in depth sees that in its first
 * run. A search in breadth sees all the ways to spend less of it first, tens of millions of them.
 */
#ifndef TASKS
#define TASKS 10
#endif
#ifndef JOBS
#define JOBS 3
#endif
#ifndef BUDGET
#define BUDGET 40
#endif

byte spent;

active [TASKS] proctype Task()
{
	byte jobs;
	byte all = JOBS + _pid % 5;

	do
	:: jobs < all ->
		atomic { spent++; jobs++; assert(spent < BUDGET) }
	:: jobs == all -> break
	od
}
