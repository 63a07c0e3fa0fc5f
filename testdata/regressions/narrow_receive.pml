/* expect: 15 states
   SPIN finds a deadlock: it puts back what fitted into the variable. */
chan c = [1] of { byte };
active proctype Q() { c!2; (len(c) == 1) -> c?2 }
active proctype P() { bool b; if :: c?b -> c!2 :: skip fi }
