/* expect: 8 states
   SPIN finds a deadlock: it takes the receive back wrongly. */
chan c = [1] of { byte, byte };
byte x = 1;
active proctype Q() { c!1,0; skip }
active proctype P() { c?eval(x),x }
