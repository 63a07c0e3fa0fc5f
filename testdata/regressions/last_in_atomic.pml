/* expect: 14 states
   Whoever moves last is known when it is asked whether an atomic can go on. */
byte x;
active proctype A() { atomic { skip; _last == _pid; x = 1 } }
active proctype B() { x = 2; x = 3 }
