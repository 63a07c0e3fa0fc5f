/* expect: 19 states
   A random poll tells the position of the message, as in SPIN; ours once said just yes. */
byte g;
chan c = [2] of { short };
active proctype P() { g = c??[1] }
active proctype Q() { g = 1; c!0; c!1 }
