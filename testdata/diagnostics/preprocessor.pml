#define TWO(a, b) a + b
#include "missing.h"
#ifdef X
#else
#else
#endif
#endif
#frob
#if 1 +
#endif
#define
#define F(1) 2
#pragma once
byte x = TWO(1);
#if 1
