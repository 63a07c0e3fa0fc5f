/* Clients that ask one of two servers; every message is a handshake.
 *
 * Stresses: rendezvous, where each step looks for a partner among all processes.
 */
#ifndef CLIENTS
#define CLIENTS 6
#endif
#define SERVERS 2

mtype = { ask, release };

chan request = [0] of { mtype, byte };
chan reply[CLIENTS] = [0] of { byte };
byte served = 0;

active [SERVERS] proctype server() {
    byte whom;

end:
    do
    :: request?ask(whom) ->
        reply[whom]!_pid;
        served = (served + 1) % 4;
        reply[whom]?_;
        whom = 0
    od
}

active [CLIENTS] proctype client() {
    byte by;

    do
    :: request!ask(_pid - SERVERS);
        reply[_pid - SERVERS]?by;
        assert(by < SERVERS);
        reply[_pid - SERVERS]!0;
        by = 0
    od
}
