/* for and select are loops that the language writes for the user. */
byte a[3];

init
{
	byte i;
	for (i : 0 .. 2) {
		a[i] = i
	}
	select (i : 1 .. 3);
	for (i in a) {
		a[i]--
	}
}
