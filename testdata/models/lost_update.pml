/* Two processes count, each by reading first and writing later: an update gets lost. */
byte count;
byte done;

active [2] proctype Counter()
{
	byte read;
	read = count;
	count = read + 1;
	done++
}

active proctype Check()
{
	done == 2;
	assert(count == 2)
}
