/* A bounded buffer of numbered messages; the last one says so. */
mtype = { data, last };
chan buffer = [2] of { mtype, byte };

active proctype Producer()
{
	byte number;
	do
	:: number < 4 ->
		buffer!data(number);
		number++
	:: number == 4 ->
		buffer!last(0);
		break
	od
}

active proctype Consumer()
{
	byte number, expected;
	do
	:: buffer?data(number) ->
		assert(number == expected);
		expected++
	:: buffer?last(_) ->
		break
	od;
	assert(expected == 4)
}
