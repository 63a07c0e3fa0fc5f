/* expect: 6 states
   SPIN finds a failing assertion: it sorts by what does not fit. */
chan c = [2] of { short };
short x;
init { c!!1; c!!65536; c?x; assert(x == 0) }
