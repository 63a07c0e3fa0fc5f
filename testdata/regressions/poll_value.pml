/* expect: 16 states
   SPIN finds 19: a random poll is the position of the message, but only in a model without rendezvous. */
byte g;
chan c = [2] of { short };
active proctype P() { g = c??[1] }
active proctype Q() { g = 1; c!0; c!1 }
