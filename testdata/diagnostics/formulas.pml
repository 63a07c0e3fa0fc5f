bool p, q;
ltl a { [] p == 1 }
ltl b { p U }
ltl c { (p -> q }
ltl d { [](p -> <> q }
ltl e { p q }
active proctype P() {
    p = [] q;
    p = p -> q
}
