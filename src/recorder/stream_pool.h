// Streams for threads: taken from anonymous memory, given back at thread end, used again with the chunk
// and the slot tables that they have. So a thread that lives for ten events costs ten words.
//
// Lock-free (a stack with a tag against re-use of its head); no memory is ever returned. At most 65 536
// threads live at once; further ones are not recorded, and their creation counts as a lost event.

#pragma once

#include "recorder/stream.h"

namespace parcast::recorder {

class StreamPool {
public:
    // Ready for a new thread but silent; nullptr if there are too many.
    static Stream* take();
    static void give_back(Stream* stream);
    // That of a living thread of this process, by the number that the kernel gave it; nullptr if there is
    // none.
    static Stream* find(uint32_t kernel_id);

    // At the end of the recording: whatever other threads still do is dropped, but the CPU time that they
    // have used by now is written down, since they may have computed for long without an event.
    static void close_all();

    // In a child, whether it is to be recorded or not.
    static void forget_watches();

    // Only the calling thread came into the child: all other streams become free, and all belong to a
    // new file from now on.
    static void restart_in_child();

private:
    static void write_final_clocks(uint32_t made);
    static Stream* at(uint32_t index);
    static Stream* make();
};

}  // namespace parcast::recorder
