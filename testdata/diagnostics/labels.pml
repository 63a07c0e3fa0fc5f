active proctype P() {
L:  byte x;
    L2: M2: ;
    unless { skip };
    skip unless skip unless skip;
    mtype = { a };
    proctype Q() { skip }
}
