#define BAD y = = 1
byte x, y;
inline inner(v) {
    v = ;
    BAD
}
inline outer(w) {
    inner(w)
}
inline loop1() { loop2() }
inline loop2() { loop1() }
active proctype P() {
    outer(x);
    inner(y);
    inner();
    inner(x, y);
    loop1();
    x = = 2
}
