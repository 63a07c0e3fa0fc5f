byte x;
x = 1;
skip;
byte y;
if :: x == 1 fi
active proctype P() { x = = 1 }
