/* Many states for little text: three counters that run freely. Ends only in its limits. */
#ifndef LIMIT
#define LIMIT 1000
#endif
int a, b, c;

active proctype A() { do :: a < LIMIT -> a++ od }
active proctype B() { do :: b < LIMIT -> b++ od }
active proctype C() { do :: c < LIMIT -> c++ od }
