byte x, a[3];
active proctype P() {
    x += 1;
    a[2] <<= 2;
    x := 3;
    x = a[0] = 1;
    return x;
    return
}
