/* A sliding window protocol (go back n) over two channels that lose messages.
 *
 * Stresses: a handful of processes with arithmetic on local variables, channels with two fields, and loss, which
 * makes every mixture of old and new messages in the channels reachable.
 */
#ifndef WINDOW
#define WINDOW 3
#endif
#define NUMBERS (WINDOW + 1)    /* first in, first out: one number more than the window is wide is enough */
#define VALUES 5                /* what is sent: 0, 1, .. 4, 0, 1, .. */
#define CAPACITY 3

chan forth = [CAPACITY] of { byte, byte };
chan back = [CAPACITY] of { byte };

active proctype sender() {
    byte base = 0, waiting = 0, oldest = 0, next, progress;

    do
    :: waiting < WINDOW ->
        forth!(base + waiting) % NUMBERS, (oldest + waiting) % VALUES;
        waiting++
    :: waiting > 0 -> forth!base, oldest
    :: back?next ->
        progress = (next + NUMBERS - base) % NUMBERS;
        assert(progress <= waiting);
        waiting = waiting - progress;
        oldest = (oldest + progress) % VALUES;
        base = next;
        next = 0;
        progress = 0
    od
}

active proctype receiver() {
    byte expected = 0, due = 0, number, value;

    do
    :: forth?number, value ->
        if
        :: number == expected ->
            assert(value == due);
            expected = (expected + 1) % NUMBERS;
            due = (due + 1) % VALUES
        :: else
        fi;
        number = 0;
        value = 0;
        back!expected
    od
}

active proctype loss() {
    do
    :: forth?_, _
    :: back?_
    od
}
