/* Candidates ask all others for their votes, term by term: a majority makes a leader. No two lead in the same term. */
#ifndef N
#define N 3
#endif
#define TERMS 2

byte term[N], voted[N] = N;
bool leads[N];
chan asked[N] = [N] of { byte, byte };	/* term, who asks */
chan votes[N] = [N * TERMS] of { byte };	/* term */

active [N] proctype Server()
{
	byte k, count, asking, who = N, got;

end:	do
	:: d_step {		/* a new term: ask all others */
		term[_pid] < TERMS && !leads[_pid] ->
		term[_pid]++;
		voted[_pid] = _pid;
		count = 1;
		for (k : 0 .. N - 1) {
			if
			:: k != _pid && nfull(asked[k]) -> asked[k]!term[_pid],_pid
			:: else
			fi
		}
	   }
	:: atomic {		/* somebody asks for a vote */
		asked[_pid]?asking,who;
		if
		:: asking > term[_pid] ->
			term[_pid] = asking; voted[_pid] = N; leads[_pid] = false; count = 0
		:: else
		fi;
		if
		:: asking == term[_pid] && voted[_pid] == N && nfull(votes[who]) ->
			voted[_pid] = who; votes[who]!asking
		:: else
		fi;
		asking = 0; who = N
	   }
	:: atomic {		/* a vote */
		votes[_pid]?got;
		if
		:: got == term[_pid] && !leads[_pid] ->
			count++;
			if
			:: 2 * count > N -> leads[_pid] = true; count = 0
			:: else
			fi
		:: else
		fi;
		got = 0
	   };
	   d_step {
		if
		:: leads[_pid] ->
			for (k : 0 .. N - 1) {
				assert(k == _pid || !leads[k] || term[k] != term[_pid])
			}
		:: else
		fi
	   }
	od
}
