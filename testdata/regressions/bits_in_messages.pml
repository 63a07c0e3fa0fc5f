/* expect: 4 states
   A bit that is not alone in its message is cut to one bit; ours once was not. */
chan c = [0] of { bit, byte };
active proctype P() { c!2,0 }
active proctype Q() { c?0,_ }
