// The Client-Server model (Broberg 2002, paper VIII, section 3): a thread is a server that answers whatever
// request comes first. Its list is cut before waits, and which part it goes on with depends on which of them
// was given what it took in the recording.
//
// Rules:
// (1) The cuts of a list are its waits for one thing: takes of one condition, with one mutex, or of one
//     semaphore, rendezvous, or joins of any thread; of these that of which there are most. Paper VIII has
//     only rendezvous. All other waits stay within the parts, and take what they took in the recording.
// (2) The thread holds the same locks at every cut, so that the parts can change places. If it holds others
//     when it ends, the last part stays the last.
// (3) A thread that comes to a cut, or to its end, goes on with the part whose wait was given what it takes;
//     with the oldest, if there are several. If there is none it waits for the first that is.
// (4) It ends when all parts were executed.
//
// Memory: 8 bytes for each token up to the highest of an object with cuts, and for each cut.

#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "core/id.h"
#include "program/thread_program.h"

namespace parcast::semantics {

class CutLists {
public:
    explicit CutLists(ThreadProgram const& program);

    // A wait before which a list is cut.
    struct Cut {
        ThreadId thread = ThreadId::none();
        std::uint32_t place = 0;  // of the wait in the list
        bool is_none() const { return thread.is_none(); }
    };

    // The cut that takes it, once; none if no cut does, or if it was given before.
    Cut taker_of_unit(ObjectId object, std::uint32_t number);
    Cut taker_of_activation(ThreadId receiver, std::uint32_t number);
    Cut taker_of_end(ThreadId ended);

    // The list of the thread is cut before the operation at this place.
    bool is_cut(ThreadId thread, std::uint32_t place) const {
        auto const& cuts = threads_[thread.index()].is_cut;
        return !cuts.empty() && cuts[place];
    }
    bool has_cuts(ThreadId thread) const { return !threads_[thread.index()].is_cut.empty(); }
    bool is_through(ThreadId thread) const { return threads_[thread.index()].left == 0; }

    // The thread has come to a cut or to its end, and goes on behind the wait at this place; none: it waits.
    // REQUIRES: it has cuts, and is not through.
    std::optional<std::uint32_t> comes(ThreadId thread);
    // What the wait takes is there. True if its thread waits, and goes on behind it.
    bool give(Cut cut);

    bool is_waiting(ThreadId thread) const { return threads_[thread.index()].waits; }
    // The first of the waits before which its list is cut: what they are about. REQUIRES: it has cuts.
    Operation wait_of(ThreadId thread) const;

private:
    struct ThreadState {
        std::vector<bool> is_cut;           // by place; empty: the list has no cuts
        std::uint32_t first = 0;            // the place of the first cut
        std::uint32_t left = 0;             // parts that were not begun, but for the start of the list
        std::deque<std::uint32_t> given;    // places of waits that have what they take, oldest first
        std::optional<std::uint32_t> last;  // the place of the wait whose part stays the last
        bool last_is_given = false;
        bool waits = false;
    };

    void cut(ThreadId thread);
    void note_taker(Cut cut, Operation const& wait);
    void give_what_is_there();

    ThreadProgram const& program_;  // the caller's
    std::vector<ThreadState> threads_;
    std::vector<std::vector<Cut>> of_objects_;      // by object and number of the unit
    std::vector<std::vector<Cut>> of_activations_;  // by receiver and number
    std::vector<Cut> of_ends_;                      // by thread that ends
};

// Whether the client-server model differs from the strict one for the program.
bool cuts_lists(ThreadProgram const& program);

}  // namespace parcast::semantics
