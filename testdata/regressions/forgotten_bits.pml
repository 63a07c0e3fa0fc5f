/* expect: 3 states, assertion
   SPIN misses the assertion: with priorities it forgets bits. */
active proctype P() priority 2 { bit b = 1; do :: b = 0 :: b == 0 -> assert(false) od }
