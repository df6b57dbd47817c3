// Who and what a timeline or a program talks about: its threads, the objects they synchronise on, and
// the places in the source. Ids index these arrays. A program extracted from a timeline keeps the
// timeline's catalogue, and so does the timeline that is predicted from it, so that an id means the
// same thing before and after a prediction.
//
// Invariants: (1) threads[0] is the initial thread. (2) Every id stored in an entry is in range or none.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/id.h"

namespace parcast {

// One source position; a site has several when calls were inlined.
struct Frame {
    std::string function;    // demangled; empty when unknown
    std::string file;        // as in the debug information; empty without it
    std::uint32_t line = 0;  // 0 without debug information

    friend bool operator==(Frame const&, Frame const&) = default;
};

// Site::library_type of the waits of Java's threads: at monitors, at what java.util.concurrent has, and when
// they are idle.
inline constexpr char const* java_park = "Java park";

// A call site of the recorded program (the return address of a recorded call).
struct Site {
    std::uint64_t address = 0;        // run-time address in the recorded process
    std::uint64_t module_offset = 0;  // address - load bias of its module
    std::string module;               // path of the executable or library; empty when unknown
    std::vector<Frame> frames;        // innermost first, inlined callers after it; may be empty
    // "std::barrier": of a library that waits by futexes, or by conditions of its own; or empty
    std::string library_type = {};

    friend bool operator==(Site const&, Site const&) = default;
};

enum class ObjectKind : std::uint8_t {
    mutex,
    spin_lock,
    reader_writer_lock,
    condition,
    barrier,
    semaphore,
    once,
    futex,
    descriptor,  // a file, pipe or socket: the object of input and output
    message,     // why a rank waits: "late sender". No program of threads has it
};
inline constexpr std::size_t object_kind_count = 9;  // that programs of threads have

char const* name_of(ObjectKind kind);  // "mutex", "spin lock", "reader-writer lock", ...

struct Object {
    ObjectKind kind = ObjectKind::mutex;
    std::uint64_t address = 0;           // run-time address, or descriptor number
    std::string name;                    // symbol of a global object; empty for heap and stack objects
    SiteId first_site = SiteId::none();  // of its first use that is no init or destroy; else of its first
    // semaphore: count; barrier: participants, if seen at init; mutex: stream_lock_value, or none
    std::optional<std::int64_t> initial_value;

    friend bool operator==(Object const&, Object const&) = default;
};

// The lock that libc takes in each call on a stdio stream (FILE) is a mutex with this value.
inline constexpr std::int64_t stream_lock_value = 1;
bool is_stream_lock(Object const& object);

struct Thread {
    std::string name;                        // set by the program (pthread_setname_np, prctl); may be empty
    std::string function;                    // start routine, demangled; "main" for the initial thread
    SiteId start_site = SiteId::none();      // source position of the start routine
    ThreadId parent = ThreadId::none();      // none for the initial thread
    SiteId created_at = SiteId::none();      // call site of its creation
    std::vector<std::uint64_t> start_words;  // words of a std::thread's state, the callable among them;
                                             // used up when names are resolved
    std::uint32_t kernel_id = 0;             // its number in /proc; 0 when unknown

    friend bool operator==(Thread const&, Thread const&) = default;
};

// A function together with the stack that called it.
struct CallStack {
    StackId caller = StackId::none();  // none: called by nobody who was recorded
    SiteId function = SiteId::none();  // a place in it, whose innermost frame names it

    friend bool operator==(CallStack const&, CallStack const&) = default;
};

struct Catalogue {
    std::vector<Thread> threads;
    std::vector<Object> objects;
    std::vector<Site> sites;
    std::vector<CallStack> stacks;  // callers before those whom they call; empty: functions were not recorded

    friend bool operator==(Catalogue const&, Catalogue const&) = default;
};

// "mutex"; "stream" where it is the lock of one; of a futex the library's type, if it is known.
std::string kind_in_words(Catalogue const& catalogue, Object const& object);
// "compress_have (yarn.c:88)", "mutex 3 (put, buffer.cpp:41)", "mutex 3": the best short name there is.
std::string display_name(Catalogue const& catalogue, ObjectId object);
// Its own name if it has one, else its number and function: "thread 4 (compress_thread)"; a function without
// a symbol gives way to the place of its creation: "thread 4 (created at launch, yarn.c:88)".
std::string display_name(Catalogue const& catalogue, ThreadId thread);
// "compress_thread, pigz.c:1203", or "function", or "module+0x1f3a", or "unknown place".
std::string display_name(Catalogue const& catalogue, SiteId site);
// "compress_thread", or the place where its name is not known.
std::string function_name(Catalogue const& catalogue, SiteId site);

}  // namespace parcast
