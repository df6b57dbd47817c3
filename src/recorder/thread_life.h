// The begin and the end of a recorded thread, however it comes about: return, pthread_exit and
// cancellation all run the destructor of a thread-specific key.

#pragma once

#include <pthread.h>

#include "recorder/stream.h"

namespace parcast::recorder {

// As the kernel numbers threads, from the name of its CPU clock: libc makes that up without a system call.
uint32_t kernel_id_of(pthread_t thread);

// Makes the key; false if there is none left.
bool prepare_thread_ends();

struct ThreadLife {
    // In the creator: the stream and the number of the thread to come. nullptr: it is not recorded.
    static Stream* announce();
    // The creation failed.
    static void retract(Stream* stream);
    static uint32_t number_of(Stream const* stream) { return stream->thread_number_; }

    // In the new thread.
    static void begin(Stream* stream);
    static void end(Stream* stream);
    // The calling thread is not recorded any more.
    static void refuse();

    static void record_process_exit(int status);
    // The calling thread becomes number 0 of the child's recording.
    static void restart_in_child();

private:
    static void record_start_state(Stream* stream);
};

}  // namespace parcast::recorder
