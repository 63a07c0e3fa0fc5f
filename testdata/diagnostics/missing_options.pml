byte x;
active proctype P() {
    if
        x == 1 -> x = 2
    :: else
    fi;
    do
        x == 1; break
    od;
    if fi;
    :: x = 1;
    fi;
    od;
    x = = 3
}
