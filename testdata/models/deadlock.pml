/* Two processes that take two locks, each in its own order. */
bool left, right;

active proctype A()
{
	atomic { !left -> left = true };
	atomic { !right -> right = true };
	right = false;
	left = false
}

active proctype B()
{
	atomic { !right -> right = true };
	atomic { !left -> left = true };
	left = false;
	right = false
}
