/* The last step of an atomic gives up the right to move; so does a jump out of it. */
byte g;

active [2] proctype P()
{
	atomic {
		g++;
		if
		:: g > 1 -> goto out
		:: else
		fi
	};
	d_step { g = g + 2; g = g % 3 };
out:	g = 0
}
