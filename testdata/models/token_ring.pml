/* Three stations in a ring hand a token on. Its load does not matter to them. */
chan q[3] = [1] of { byte };
byte seen;

proctype Node(chan in, out) {
    byte load;

    do
    :: in?load -> seen = load; out!load
    :: seen == load -> if :: load = 7 :: load = 8 fi
    od
}

init {
    atomic {
        q[0]!0;
        run Node(q[0], q[1]);
        run Node(q[1], q[2]);
        run Node(q[2], q[0])
    }
}
