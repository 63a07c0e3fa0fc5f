int max(int a, int b) {
    return a
}
void main() {
    skip
}
active proctype P() {
    foo(1);
    P();
    skip
}
inline f(byte a) { skip }
inline g(a, a) { skip }
