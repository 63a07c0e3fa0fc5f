/* Jobs that split: a worker starts two more until the last generation is reached, each answers on a channel of its
 * parent's, and dies.
 *
 * Stresses: processes that are born and die, own channels, process numbers used again. The state grows and shrinks.
 */
#ifndef GENERATIONS
#define GENERATIONS 2
#endif
#ifndef ROUNDS
#define ROUNDS 1
#endif

byte done = 0;

proctype worker(byte generation; chan answer) {
    chan results = [2] of { byte };
    byte left, right;

    if
    :: generation < GENERATIONS ->
        run worker(generation + 1, results);
        run worker(generation + 1, results);
        results?left;
        results?right
    :: else -> left = 1
    fi;
    answer!left + right
}

active [2] proctype master() {
    chan results = [1] of { byte };
    byte round = 0, sum;

    do
    :: round < ROUNDS + _pid ->
        run worker(1, results);
        results?sum;
        assert(sum == 1 << (GENERATIONS - 1));
        sum = 0;
        round++
    :: else -> break
    od;
    done++
}
