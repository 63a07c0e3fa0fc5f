#define WRONG(a) (a + )
#define OUTER(b) x = WRONG(b); skip
byte x;
active proctype P() {
    OUTER(3);
    x = WRONG( = );
    x = 1
}
