byte of;
mtype = { red, if };
typdef T { byte a }
T t;
Foo f;
active proctype do() { skip }
active proctype P(byte a, byte b; c) {
    Foo g;
    byte x y;
    run;
    goto 1;
    byte x, int z;
    x.1 = 2
}
