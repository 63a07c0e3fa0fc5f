byte x, i;
active proctype P() {
    while (x < 3) {
        x++
    }
    for (i = 0; i < 3; i++) {
        x = = i
    }
    for (int j = 0; j < 3; j++) {
        x = j
    }
    switch (x) { skip }
    x = i++;
    x = 2
}
