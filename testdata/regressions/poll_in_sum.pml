/* expect: 4 states
   SPIN finds a failing assertion: it forgets parentheses. */
chan r = [0] of { byte };
chan c = [1] of { byte };
byte x = 3;
init { x = x + c?[5]; assert(x == 3) }
