active proctype P()
{
	x = 1
}
