/* Parcels on a torus of 3 by 3 nodes: each node passes what comes from the west or the north on to the east or south.
 *
 * Stresses: many channels (18, most of them empty at any time), channels as parameters, and hardly any data.
 */
#define SIDE 3
#ifndef PARCELS
#define PARCELS 6
#endif

mtype = { parcel };

chan east[SIDE * SIDE] = [2] of { mtype };
chan south[SIDE * SIDE] = [2] of { mtype };

proctype node(chan from_west, from_north, to_east, to_south) {
end:
    do
    :: if
        :: from_west?parcel
        :: from_north?parcel
        fi;
        if
        :: to_east!parcel
        :: to_south!parcel
        fi
    od
}

init {
    byte i = 0;
    atomic {
        do
        :: i < SIDE * SIDE ->
            run node(
                east[(i / SIDE) * SIDE + (i + SIDE - 1) % SIDE],
                south[(i + SIDE * (SIDE - 1)) % (SIDE * SIDE)],
                east[i],
                south[i]);
            i++
        :: else -> break
        od;
        i = 0;
        do
        :: i < PARCELS -> east[i]!parcel; i++
        :: else -> break
        od;
        i = 0
    }
}
