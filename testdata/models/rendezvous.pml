/* A client that takes its answer for granted: the server may refuse, and then both wait for ever. */
mtype = { ask, grant, refuse };
chan request = [0] of { mtype };
chan answer = [0] of { mtype };

active proctype Client()
{
	request!ask;
	answer?grant
}

active proctype Server()
{
	request?ask;
	if
	:: skip -> answer!grant
	:: skip -> answer!refuse
	fi
}
