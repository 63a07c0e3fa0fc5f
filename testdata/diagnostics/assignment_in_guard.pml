byte x;
active proctype P() {
    if
    :: (x = 1) -> skip
    :: x == 2 && x = 3 -> skip
    :: x = 4 -> skip
    fi;
    do
    :: !(x = 5) -> break
    od
}
