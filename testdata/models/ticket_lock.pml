/* A bakery in which tickets are drawn at once: one more than the greatest ticket that anybody holds. */
#define N 4
#define MOST 6

byte ticket[N];
byte inside;

active [N] proctype P()
{
	byte k, most;
	bool first;

	do
	:: d_step {
		most = 0;
		for (k : 0 .. N - 1) {
			if
			:: ticket[k] > most -> most = ticket[k]
			:: else
			fi
		}
		if
		:: most < MOST -> ticket[_pid] = most + 1
		:: else
		fi;
		most = 0
	   };
	   if
	   :: ticket[_pid] == 0 -> skip
	   :: else ->
		do
		:: atomic {
			first = true;
			for (k : 0 .. N - 1) {
				first = first && (k == _pid || ticket[k] == 0 || ticket[k] > ticket[_pid])
			};
			if
			:: first -> first = false; break
			:: else
			fi
		   }
		od;
		inside++;
		assert(inside == 1);
		inside--;
		ticket[_pid] = 0
	   fi
	od
}
