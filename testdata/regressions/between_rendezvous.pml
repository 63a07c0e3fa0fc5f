/* expect: 7 states
   SPIN runs the d_step in the middle of the offer and finds 5 states. */
chan c = [0] of { byte };
active proctype D() { d_step { printf("d\n") } }
active proctype S() { { skip } unless { c!1 } }
