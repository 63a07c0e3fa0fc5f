/* What follows an inner block is what follows the outer one, however they are nested. */
byte x;

active proctype P()
{
	atomic { x++; { x++; d_step { x = 3; x = 4 } } };
	x = 9
}
