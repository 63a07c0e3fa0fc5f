#include "included.h"

active proctype P()
{
	printf("the limit is %d\n", LIMIT);
	assert(LIMIT == 3)
}
