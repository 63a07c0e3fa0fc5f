c_decl { int y; char *s = "}"; }
byte x;
active proctype P() {
    c_code { y = 1; };
    x = = 1;
    if
    :: c_expr { y } -> skip
    :: else
    fi
}
