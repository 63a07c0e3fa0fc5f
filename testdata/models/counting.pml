/* Many states for little text: three counters that run freely. Ends only in its limits. */
#ifndef LIMIT
#define LIMIT 1000
#endif
int a, b, c;

active proctype A() { end: do :: a < LIMIT -> a++ od }
active proctype B() { end: do :: b < LIMIT -> b++ od }
active proctype C() { end: do :: c < LIMIT -> c++ od }
