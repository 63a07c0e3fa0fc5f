/* A scheduler of tasks that share a clock, which nobody winds up.
 *
 * Each task has so many jobs, and may be given the processor at any time. A budget of time is enough for most of the jobs, and not for all
 * of them. Whatever the order, the budget is spent in the end: a search in depth sees that in its first run. A search in breadth sees all
 * the ways to spend less of it first, some (JOBS + 1)^TASKS of them.
 */
#ifndef TASKS
#define TASKS 10
#endif
#ifndef JOBS
#define JOBS 5
#endif
#ifndef BUDGET
#define BUDGET 40
#endif

byte spent;

active [TASKS] proctype Task()
{
	byte jobs;

	do
	:: jobs < JOBS ->
		atomic { spent++; jobs++; assert(spent < BUDGET) }
	:: jobs == JOBS -> break
	od
}
