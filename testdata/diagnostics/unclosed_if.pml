byte x;
active proctype P() {
    do
    :: x == 1 ->
        if
        :: x = 2
        :: else
    od
}
active proctype Q() {
    if
    :: x = = 2
}
