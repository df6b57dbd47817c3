// The recording of this process image: what is the same for all its threads.
//
// Life: begin (constructor) -> running -> end (exit, exec), or cut: the process goes on, its recording does
// not. fork: the child begins a recording of its own.

#pragma once

#include "wire/record.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

namespace parcast::recorder {

// The only global state beside the file, the pool of streams, the list of modules and that of timers.
struct Recording {
    bool running;
    bool is_cut;          // events from now on are lost, children are recorded anew
    bool is_aside;        // the host forbids itself what the recorder needs, which asks for nothing any more
    bool ended;           // no later end counts
    uint32_t generation;  // counts the processes of a chain of forks
    pid_t process;
    wire::Clock clock;
    uint64_t ticks_per_millisecond;
    uint32_t brief_ticks;  // wire::brief_ns; 0 until it is known: then every release is measured
    uint32_t call_depth;   // of instrumented functions that are distinguished; 0: none is
    bool lacks_run_delay;  // the system does not tell: nobody asks again
    wire::Header* header;  // mapped; valid from the first `running` on
};
extern constinit Recording recording;

// Is this process recorded, now? False in a child of vfork, which borrows its parent's memory until exec.
// Costs a system call; hooks of common calls ask this_stream() only.
bool is_recording();

void count_lost_event();

// The CPU time between two readings of the thread's clock went into memory for the words of a stream.
void count_memory_cost(uint64_t begin_ns, uint64_t end_ns);
// Every event bears a part of it.
void count_shared_cost(uint64_t ns);

// Text (paths, arguments) in chunks of its own.
void write_text(wire::ChunkKind kind, char const* text, size_t length);

// What the program says of itself while it runs, beside the variables of its environment. For the children
// that it forks, too. The later of two settings counts.
void note_setting(char const* name, uint64_t value);

// For hooks of exec: the path goes into the recording, and the end is marked; nothing happens if
// is_recording() is false. A failed exec takes the mark back; the recording goes on.
void announce_exec(char const* path);
void retract_exec();

// The process ends: process_exit in the calling thread, end clocks in the header; later events are
// dropped. Only the first call counts. exit() and return from main come here by themselves (on_exit);
// _exit, _Exit and quick_exit need a hook that calls this first.
void end_recording(wire::Ending ending, int status);

// The recording ends here for all threads, so that it is a whole beginning of the run rather than one with
// holes.
void cut_recording(wire::Ending why);
// The file takes no more.
void cut_full_recording();

// The host is about to forbid itself what the recorder needs. The recording ends here, also for the children
// and for the images that follow in their places. The calling thread has no stream afterwards.
void step_aside(wire::Ending why);

// The child of a fork that ran no pthread_atfork handlers (_Fork, syscall(SYS_fork)) calls this; fork()
// comes here by itself. Afterwards the calling thread is number 0 of a new recording.
void begin_in_child();

}  // namespace parcast::recorder
