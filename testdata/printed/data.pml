/* Structures and arrays become slots; a declaration after the first statement is a step. */
mtype = { ask, answer };
typedef Cell { byte value; bool seen[2] };
Cell cells[2];
chan link[2] = [1] of { mtype, byte };

proctype Server(chan c; short bias)
{
	byte request;

	end: do
	:: c?ask,request;
	   int result = request + bias;
	   cells[request % 2].seen[1] = true;
	   c!answer,result
	od
}

init
{
	run Server(link[0], -3);
	link[0]!ask,7;
	link[0]?answer,cells[1].value
}
