/* Leader election in a ring with one direction, after Dolev, Klawe and Rodeh (Journal of Algorithms 3, 1982).
 *
 * Stresses: message passing with room to spare (each channel could hold twice as many messages as there are nodes,
 * most of it stays empty), and processes that are all alike. The numbers of the nodes are fixed: node i of the ring
 * has number (i * STRIDE) % N + 1, for a stride that has no factor in common with N.
 */
#ifndef N
#define N 5
#endif
#if N == 6
#define STRIDE 5
#else
#define STRIDE 2
#endif

mtype = { first, second, elected };

chan link[N] = [2 * N] of { mtype, byte };
byte leaders = 0;

proctype node(chan from, to; byte number) {
    bool active_node = true, won = false;
    byte largest = number, neighbour, got;

    to!first(number);
end:
    do
    :: from?first(got) ->
        if
        :: !active_node -> to!first(got)
        :: active_node && got != largest -> neighbour = got; to!second(got)
        :: active_node && got == largest -> assert(got == N); won = true; to!elected(got)
        fi
    :: from?second(got) ->
        if
        :: !active_node -> to!second(got)
        :: active_node && neighbour > got && neighbour > largest -> largest = neighbour; to!first(neighbour)
        :: active_node && !(neighbour > got && neighbour > largest) -> active_node = false
        fi
    :: from?elected(got) ->
        if
        :: got == number -> leaders++; assert(leaders == 1)
        :: else
        fi;
        if
        :: won
        :: else -> to!elected(got)
        fi;
        break
    od
}

init {
    byte i = 0;
    atomic {
        do
        :: i < N -> run node(link[i], link[(i + 1) % N], (i * STRIDE) % N + 1); i++
        :: else -> break
        od
    }
}
