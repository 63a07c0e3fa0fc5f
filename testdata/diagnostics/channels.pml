chan c = [2] of { byte, foo };
chan d = [2] { byte };
chan e = [2] of byte;
byte x;
active proctype P() {
    c!;
    c?;
    c?x + 1;
    c?<x;
    x = c?x;
    c![x];
    c!1,;
    x = eval(x)
}
