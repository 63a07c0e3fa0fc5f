/* expect: 5 states
   The d_step at the end of nested blocks once led back to itself. */
byte x;
active proctype P() { atomic { x++; { x++; d_step { x = 3; x = 4 } } }; assert(x == 4); x = 9 }
