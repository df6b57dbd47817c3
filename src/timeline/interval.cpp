#include "timeline/interval.h"

namespace parcast {

char const* name_of(ThreadState state) {
    switch (state) {
        case ThreadState::running: return "running";
        case ThreadState::switching: return "switching";
        case ThreadState::spinning: return "spinning";
        case ThreadState::ready: return "ready";
        case ThreadState::blocked: return "blocked";
        case ThreadState::sleeping: return "sleeping";
        case ThreadState::input_output: return "input and output";
    }
    return "state";
}

}  // namespace parcast
