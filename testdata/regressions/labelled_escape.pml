/* expect: 4 states
   SPIN finds a failing assertion: with the label, the inner escape comes first. */
byte x;
active proctype P() { L: { { skip } unless { x = 1 } } unless { skip }; assert(x == 0) }
