/* Two processes that look before they take, but not at once: the counter wraps around. */
byte i = 1;

active [2] proctype Take()
{
	(i > 0) -> i--;
	assert(i < 2)
}
