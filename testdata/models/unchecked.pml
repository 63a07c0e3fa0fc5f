/* Declares a property that is not checked. */
byte x;
chan c = [1] of { byte };

trace { do :: c!1; c?1 od }

active proctype P()
{
	c!1;
	c?x
}
