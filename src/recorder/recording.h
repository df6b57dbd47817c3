// The recording of this process image: the raw file, and what is the same for all threads. The only
// global state of the recorder beside the pool of streams and the module list.
//
// Life: begin (constructor) -> running -> end (exit, exec). fork: the child begins a recording of its own.

#pragma once

#include "wire/record.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

namespace parcast::recorder {

// Is this process recorded, now? False in a child of vfork, which borrows its parent's memory until exec.
bool is_recording();

// For hooks of exec: the path goes into the recording, and the end is marked; nothing if is_recording()
// is false. A failed exec takes the mark back; the recording goes on.
void announce_exec(char const* path);
void retract_exec();

// The process ends: process_exit in the calling thread, end clocks in the header; later events are
// dropped. Only the first call counts. exit() and return from main come here by themselves (on_exit);
// _exit, _Exit and quick_exit need a hook that calls this first.
void end_recording(wire::Ending ending, int status);

// The child of a fork that ran no pthread_atfork handlers (_Fork, syscall(SYS_fork)) calls this; fork()
// comes here by itself. Afterwards the calling thread is number 0 of a new recording.
void begin_in_child();

}  // namespace parcast::recorder
