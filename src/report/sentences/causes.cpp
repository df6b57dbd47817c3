#include "report/sentences/causes.h"

#include "report/names.h"

namespace parcast::report {

char const* words_of(Cause cause) {
    switch (cause) {
        case Cause::busy: return "busy";
        case Cause::slowed: return "busy CPUs slowing each other";
        case Cause::spinning: return "other spinning";
        case Cause::overhead: return "switching and waking threads";
        case Cause::ready: return "ready, not yet on a CPU";
        case Cause::lock: return "other locks";
        case Cause::condition: return "other conditions";
        case Cause::input_output: return "other I/O";
        case Cause::sleeping: return "sleeping";
        case Cause::joining: return "waiting for threads to end";
        case Cause::no_thread: return "no thread to run";
    }
    return "";
}

std::string cause_label(Limit const& limit, Catalogue const& catalogue) {
    if (!limit.object.is_none()) {
        auto const object = placed_object_label(catalogue, limit.object);
        return limit.cause == Cause::spinning ? "spinning: " + object : object;
    }
    return words_of(limit.cause);
}

}  // namespace parcast::report
