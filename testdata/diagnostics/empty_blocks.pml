active proctype P() { }
active proctype Q() {
    if :: -> skip
       ::
    fi;
    atomic { };
    ; skip;;
}
