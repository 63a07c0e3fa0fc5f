/* expect: 9 states
   In the middle of an atomic somebody of a higher priority is let go by the step itself. */
proctype P() { _last }
proctype Q() { atomic { skip; skip } }
init { run P() priority 2; run Q() }
