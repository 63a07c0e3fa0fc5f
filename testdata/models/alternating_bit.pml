/* The alternating bit protocol over channels that lose messages. */
mtype = { message, ack };
chan to_receiver = [1] of { mtype, byte, bit };
chan to_sender = [1] of { mtype, bit };

active proctype Sender()
{
	byte number;
	bit sequence, answer;
	do
	:: to_receiver!message(number, sequence)
	:: to_receiver?message(_, _)		/* lost on the way */
	:: to_sender?ack(answer) ->
		if
		:: answer == sequence ->
			sequence = 1 - sequence;
			number = (number + 1) % 4
		:: else
		fi
	od
}

active proctype Receiver()
{
	byte number, expected;
	bit sequence, wanted;
end:
	do
	:: to_receiver?message(number, sequence) ->
		if
		:: sequence == wanted ->
			assert(number == expected);
			expected = (expected + 1) % 4;
			wanted = 1 - wanted
		:: else
		fi;
		if
		:: to_sender!ack(sequence)
		:: skip				/* lost on the way */
		fi
	od
}
