byte x;
active proctype P() {
    x = (1 + 2;
    x = 3;
    assert(x == (3);
    printf("x = %d\n", x;
    x = = 1
}
