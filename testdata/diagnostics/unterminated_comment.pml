byte x;
/* this never ends
active proctype P() { skip }
