byte x;
active proctype P() {
    x = 1 $ 2;
    printf('hello %d', x);
    printf("no end);
    x = 0x1F;
    x = 017;
    x = 99999999999;
    x = 12ab;
    x = '';
    x = 'a;
    x = "a"
    x # 1
}
