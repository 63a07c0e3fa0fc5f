/* Requests and answers take turns, says the trace. The client is impatient. */
mtype = { request, answer };
chan wire = [2] of { mtype, byte };

trace
{
end:	do
	:: wire!request,_; wire!answer,_
	od
}

active proctype Client()
{
	wire!request,1;
	if
	:: wire!request,2
	:: wire??answer,_
	fi
}

active proctype Server()
{
	wire??request,_;
	wire!answer,1
}
