/* Two clients take turns at a server. The notrace forbids that one of them is served twice in a row. */
chan ask = [2] of { byte };
chan one = [1] of { byte };
chan other = [1] of { byte };
notrace { do :: other!7 :: one!7 -> break od; one!7 }

proctype Client(chan mine)
{
	byte got;
	do
	:: ask!1
	:: mine?got -> got = 0
	od
}

active proctype Server()
{
	do
	:: ask?_ ->
		if
		:: one!7
		:: other!7
		fi
	od
}

init
{
	atomic { run Client(one); run Client(other) }
}
