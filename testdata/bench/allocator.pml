/* Clients that take units of a resource one by one, and give them back when they have enough: all but one, which leaks.
 *
 * Each round loses a unit, until nobody can ever get enough again: then everybody waits forever. A search in depth lets one client
 * do all its rounds. A search in breadth sees all the ways to share the units first.
 */
#ifndef CLIENTS
#define CLIENTS 8
#endif
#ifndef UNITS
#define UNITS 20
#endif

byte free_units = UNITS;
byte last;

active [CLIENTS] proctype Client()
{
	byte held;
	do
	:: atomic { held < 2 + _pid % 2 && free_units > 0 -> free_units--; held++ }
	:: atomic { held == 2 + _pid % 2 -> free_units = free_units + held - 1; held = 0; last = _pid }
	od
}
