byte x, y;
active proctype P() {
    x = 1 y = 2;
    if
    :: x == 1 y = 2
    :: x == 2 -> y = 1 x = 3
    :: else skip
    fi;
    goto done x = 1;
done: skip
}
