/* expect: 5 states
   A write to a hidden variable is no skip, of which one in a row would be enough. */
hidden byte h;
active proctype P() { if :: skip -> h = 1; skip fi }
