/* Philosophers who take both forks at once or none.
 *
 * Stresses: `atomic`. Most statements are inside an atomic sequence, most states lie between two of them.
 */
#ifndef N
#define N 10
#endif

#define LEFT fork[_pid]
#define RIGHT fork[(_pid + 1) % N]

bool fork[N];
byte eating = 0;

active [N] proctype philosopher() {
    bool fed = false;

    do
    :: atomic { !LEFT && !RIGHT -> LEFT = true; RIGHT = true; eating++ };
        atomic { assert(eating <= N / 2); fed = !fed };
        atomic { eating--; RIGHT = false; LEFT = false }
    od
}
