// CPU time of as many steps as the argument says.
#include <stdlib.h>
#include "work_loop.h"
int main(int c, char** v) {
    return work(atol(v[1])) == 0;
}
