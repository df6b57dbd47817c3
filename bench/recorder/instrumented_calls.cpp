#include "instrumented_calls.h"

namespace parcast::bench {
namespace {

__attribute__((noinline)) void does_nothing() {
    asm volatile("");
}

}  // namespace

__attribute__((noinline)) void call_instrumented(int depth, int calls) {
    if (depth > 0)
        call_instrumented(depth - 1, calls);
    for (int i = 0; depth == 0 && i < calls; ++i)
        does_nothing();
}

}  // namespace parcast::bench
