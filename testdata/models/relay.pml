/* Two relays pass numbers on, each with a little arithmetic of its own. */
chan from_a = [1] of { byte };
chan to_b = [1] of { byte };
byte last;

active proctype Source()
{
	byte n;

	do
	:: n = 1; from_a!n
	:: n = 2; from_a!n
	od
}

active proctype Relay()
{
	byte value, doubled;

	do
	:: from_a?value ->
		doubled = value * 2;
		if
		:: doubled > 2 -> doubled = 2
		:: else -> skip
		fi;
		to_b!doubled
	od
}

active proctype Sink()
{
	byte got;

	do
	:: to_b?got -> last = got
	od
}
