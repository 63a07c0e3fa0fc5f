/* A division by zero ends the run, and what comes after it is never reached. */
int divisor = 2;
int result;

active proctype Divide()
{
	do
	:: result = 12 / divisor;
		divisor--
	:: divisor < 0 -> break
	od;
	result = 0
}
