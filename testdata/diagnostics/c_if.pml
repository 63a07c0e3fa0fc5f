byte x, y;
active proctype P() {
    if (x == 1) y = 2;
    else y = 3;
    x = 1;
    if (x) { y = 1 } else if (y) { y = 2 } else { y = = 3 }
    x = 2
}
