byte total;
active proctype Count() { byte l; do :: total++; l = 1 - l od }
