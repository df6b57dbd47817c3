// Exempt from the length of a file: a table.
#include "report/codes/code_rows.h"

namespace parcast::report {

namespace {

constexpr CodeRow finding_rows[] = {
    {"no_events", "",
     "No call that synchronises, waits or does I/O was recorded: the program is one piece of work.",
     "Only the end of the main thread is in the recording.",
     "If the program has threads, they do not use the C library's calls (Go, for example): such a program "
     "cannot be recorded. Otherwise it has nothing to predict.",
     "parcast record -- ./doubtful nothing"},
    {"spin_waiting", "",
     "Threads wait by yielding or by trying a lock again and again, and a replay does not know what they "
     "wait "
     "for; or they spin for a while before they block, which several CPUs shorten.",
     "Rows of sched_yield() or of failed tries, which follow each other without other work; many single "
     "yields after a wake-up, during which others ran for a tenth of the time; hundreds of equal pieces of "
     "CPU "
     "time of two threads or more, from giving up a mutex to waiting under it, that hardly another piece is "
     "like.",
     "Block on a condition or semaphore, or wait in lock(). What loops before a wait take on several CPUs, "
     "parcast "
     "record --measure tells.",
     "parcast record -- ./doubtful yield"},
    {"busy_waiting", "",
     "Threads wait by running in a loop. The waiting is counted as work, so predictions are too slow or "
     "wrong.",
     "The watch over the running program saw a thread that changes nothing while others needed the CPU, or "
     "samples fell on the instruction PAUSE.",
     "Block on a condition or semaphore, after a shorter loop at most.", "parcast record -- ./doubtful spin"},
    {"cut_short", "", "Only the beginning of the run was recorded, and predictions cover no more.",
     "The recording ended at its time limit or largest size, the disk was full, or the program forbade "
     "system calls.",
     "Record with a larger --max-size or --time-limit, give TMPDIR more space, or let the program do less.",
     "parcast info cut.parcast --findings"},
    {"lost_events", "", "Some events are missing: what waits for them may be predicted wrong.",
     "The recorder counts events that it could not write: in signal handlers, on a full disk, without "
     "memory. With --memory-map, the kernel counts changes of the map that came faster than they were read.",
     "Give /dev/shm or $TMPDIR more space; do not synchronise in signal handlers. With --memory-map: raise "
     "kernel.perf_event_mlock_kb or ulimit -l.",
     "", "it takes a full disk or calls in signal handlers; tests/recorder provokes it"},
    {"killed", "",
     "The program was killed: the recording and every prediction cover what it did until then. As a note: it "
     "ended by a system call of its own, and what it did after its last recorded call is missing.",
     "A signal ended it, or the recording has no end mark.", "Record a run that ends by itself.",
     "parcast info killed.parcast --findings"},
    {"threads_alive", "",
     "Threads had not ended when the process did. A prediction stops them where they stopped.",
     "The recording has no end of these threads.",
     "If they still had work to do, join them before the program ends. Nothing, if they only waited.",
     "parcast record -- ./doubtful alive"},
    {"cpu_time_mismatch", "",
     "The threads account for more or less CPU time than the system charged: work is missing or counted "
     "twice.",
     "The sum over threads is compared with the process's CPU clock, and with wait4(2).",
     "Record again; if it stays, try another clock: PARCAST_RECORD_CLOCK=thread.", "",
     "no program that keeps to the rules shows it; src/analysis/findings_test.cpp does"},
    {"recording_cost", "",
     "Recording took a large part of the CPU time. It is taken out of the work, which is uncertain.",
     "The price of an event, measured before the run, times the number of events.",
     "Record a larger problem, so that there is more work between events; --bare-run measures the price in "
     "the "
     "program.",
     "parcast info n_body.parcast --findings"},
    {"user_space_synchronisation", "",
     "Threads synchronise by std::atomic, Rust's locks or futexes of their own. What did not have to wait "
     "left "
     "no trace, so predictions can be too fast. A warning where they wait much at one of them: too fast or "
     "too slow.",
     "System calls futex(2) that no mutex, condition or semaphore of the C library made, and the functions "
     "around them.",
     "Use locks and conditions of the C or C++ library while recording, if you can.",
     "parcast info fft.parcast --findings"},
    {"openmp_runtime", "",
     "The program uses OpenMP. libgomp is recorded but for some constructs; of other runtimes nothing is.",
     "The OpenMP library among the loaded modules.",
     "With libomp or libiomp5: build with gcc, or run with libgomp. With libgomp: no taskwait, ordered or "
     "doacross where they matter.",
     "parcast info teams.parcast --findings"},
    {"static_locks", "", "A runtime whose threads wait for each other by means of its own: that is unseen.",
     "The library (oneTBB, libgo, libitm, liburcu) among the loaded modules; a lock and a thread of "
     "Haskell's runtime.",
     "Predictions are too fast where these locks matter; use locks of the C library to be sure.",
     "parcast record -- ./with_tbb"},
    {"clock_fallback", "",
     "The thread clock was read at every event, which is slow: short critical sections are disturbed.",
     "Neither rseq nor perf_event_open was available to the recorder.",
     "Use glibc 2.35 or later without glibc.pthread.rseq=0; `parcast doctor` says what is missing.",
     "PARCAST_RECORD_CLOCK=thread parcast record -- ./doubtful nothing"},
    {"kernel_time", "",
     "The kernel's work for the program is a large part of its CPU time; it may not run in parallel.",
     "User and system time of the process: page faults and files, or two fifths of the CPU time outside of "
     "recorded calls.",
     "Fewer system calls or page faults: larger buffers, memory that is used again, files that are read "
     "instead of mapped.",
     "parcast record -- ./doubtful kernel"},
    {"hidden_hand_out", "",
     "Threads did uneven amounts of work and yet ended together: they may hand out work by means that leave "
     "no "
     "trace, such as an atomic counter. A replay leaves the pieces where they were.",
     "Teams of threads with equal beginnings and ends and unequal CPU times; barriers before which another "
     "thread does nearly all of the work each time; parallel regions of a pool that one thread works off "
     "alone, while others are woken for nothing.",
     "Hand out work under a mutex while recording, or take predictions as too slow. parcast record --measure "
     "measures the program.",
     "",
     "it takes a chance of the time slices: src/analysis/hidden_hand_outs_test.cpp, uneven_regions_test.cpp"},
    {"replaced", "", "The process went on as another program (exec), which has a recording of its own.",
     "The recorder saw exec(3).", "Use the recording of the program that you mean.",
     "parcast record -- ./doubtful exec\nparcast info doubtful.*.parcast --findings"},
    {"exit_status", "", "The program ended with another status than 0: it may not have done its work.",
     "Its exit status.", "Let it run to a good end, unless that status is its answer.",
     "parcast record -- ./doubtful fail"},
    {"further_processes", "",
     "Other processes belong to the job. They have recordings of their own and are in no prediction of this "
     "one. A warning, without a conclusion, if they used much of the CPU time while this one ran, or it "
     "waited "
     "long for them.",
     "fork(2), vfork(2), clone(2), waits for children (a twentieth of the time and 20 ms are long), and the "
     "CPU "
     "times of all recorded processes.",
     "Predict the recording of the process that does the work, if it is one. How ranks, pools of processes, "
     "pipelines and `make -j` run on several CPUs is not predicted: measure it.",
     "parcast record -- ./doubtful fork"},
    {"cpu_time_grows", "",
     "The program's CPU time grows with its number of threads, on one CPU: more threads do more work.",
     "`scale` compares its recordings.",
     "Look for work that each thread repeats, and for waiting by running.",
     "parcast scale --cpus 1,2,4 -- ./doubtful grow {cpus}"},
    {"hot_locks", "",
     "Several CPUs want one lock at the same moment. Each time it goes from one to the other costs as much, "
     "whatever is done under it, and for readers, too: more CPUs can make the program slower. The "
     "prediction is good for a factor, not for per cents. Or threads hand over work in pieces that are "
     "smaller than a wake-up: then nothing is concluded.",
     "CPUs of a replay wait for the line of the lock for a tenth of their time or more (hot_handover_ns), or "
     "threads take shared locks so often that it would be that long if each came from another CPU; less "
     "CPU time from call to call of a condition or semaphore than waking a thread takes (wake_up_ns; "
     "wake_up_soon_ns after a short sleep).",
     "Hold the lock less often: do more work each time, or give each thread a lock and data of its own. Hand "
     "over more work at a time.",
     "parcast predict hot_lock.threads.json --cpus 2"},
    {"libc_locks", "",
     "Threads wait for each other at locks that the C library takes by itself: those of streams that they "
     "share, or of malloc's arenas, if there are fewer of these than threads.",
     "Calls on streams (printf, fwrite, std::cout and others) that several threads use; MALLOC_ARENA_MAX, "
     "GLIBC_TUNABLES and mallopt(3). Allocations are not recorded.",
     "A stream or a buffer for each thread; more arenas, or another allocator.",
     "parcast record -- ./doubtful stream"},
    {"measured_otherwise", "",
     "Measured without the recorder, the program runs otherwise than predicted: on several CPUs, or on one.",
     "`record --measure` measured it. The prediction for as many CPUs does not meet the measurement, by both "
     "ranges.",
     "The message names the part: own code (memory, lines that several CPUs write), the system (locks in the "
     "kernel), idling (waits that are not seen). Ranges are widened by the difference; from a quarter on, "
     "nothing is concluded.",
     "", "it takes two CPUs: src/forecast/measured_check_test.cpp"},
    {"sleep_polling", "",
     "Threads sleep and look again until something has happened. As a note: the replay waits for that "
     "instead. "
     "As a warning: what ends the sleeping is not known, each sleep is replayed, and predictions may be too "
     "slow.",
     "Rows of equal sleeps, or of timed waits that ran out, from one place with next to no work in between; "
     "and "
     "what other threads did between the last two looks, but hardly ever before.",
     "Block on a condition or semaphore. A fixed number of sleeps is no waiting: then predictions are right.",
     "", "it takes a recording and its prediction: src/extract/polling/polling_test.cpp"},
    {"one_cpu_seen", "",
     "What makes a thread for each CPU that it sees (OpenBLAS, teams of OpenMP, oneTBB) saw one while the "
     "program was recorded. On more CPUs the program has threads that this recording does not have: ranges "
     "reach up to a speed-up of the number of CPUs.",
     "The recording pretended no other number of CPUs, and threads take locks of OpenBLAS a hundred times or "
     "more while neither OPENBLAS_NUM_THREADS nor OMP_NUM_THREADS is 1; or all teams of gcc's OpenMP had one "
     "thread, and neither their regions nor OMP_NUM_THREADS asked for a number; or the program has oneTBB "
     "and "
     "one thread.",
     "Record with --pretend-cpus N. Or set OPENBLAS_NUM_THREADS=1 wherever the program runs: where its own "
     "threads call that library, it is mostly faster.",
     "", "it takes the library: src/analysis/one_cpu_seen_test.cpp"},
    {"recorded_wake_ups", "",
     "Threads wait for wake-ups in the order of the recording, since the replay deadlocks with any other or "
     "--model ordered asks for it, and much of the CPUs' time is lost to waits. A real run may be faster: "
     "ranges reach down to the time without any wait for another thread.",
     "The model that replays (--model), and a tenth of the CPUs' time that is lost to waits on some number "
     "of "
     "CPUs, some of it to such.",
     "parcast scale measures the program. Which waits these are: --assumptions.", "",
     "no small program needs it; src/forecast/recorded_wake_ups_test.cpp does"},
    {"slower_than_recorded", "",
     "The replay on one CPU takes longer than the recorded program needed, though that had one CPU and paid "
     "for "
     "recording, too: the program does not wait as the replay has it wait. Ranges reach down to the time "
     "without any wait for another thread.",
     "The replay on one CPU takes a twentieth and 5 ms longer than the recorded run, and waits for as much "
     "longer, on the recording's host. If it waited for long in timed waits that ran out, and others had a "
     "fifth "
     "of the time: longer than its CPU time and the time in which all threads waited.",
     "parcast record --measure measures the program. Timed waits that ran out beside other programs, sleeps "
     "until points in time that are not equally far apart, tries that do something else where they fail, and "
     "loops that wait by running are the usual causes.",
     "", "it takes such a program: src/forecast/slower_than_recorded_test.cpp"},
    {"timed_work", "",
     "Threads worked until a point in time, as benchmarks do (sysbench --time=1), and not until their work "
     "was "
     "done: on several CPUs they take as long as on one, and do more. Ranges reach down to no gain at all.",
     "Two threads or more of one kind stop a round time after they were made or began (whole tenths of a "
     "second; halves from 2 s on, seconds from 10 s on), and no thread slept until then. Other times are not "
     "noticed.",
     "Let the program do a fixed amount of work while it is recorded.", "parcast record -- ./doubtful timed"},
    {"crossed_locks", "",
     "Threads that hold a lock want another one, and in the replay they did so in a circle, with one of many "
     "mutexes of one place (a graph's nodes, accounts): one of them gave its lock back there. Which mutex a "
     "thread takes often depends on what others have written, which a recording does not show. If it does "
     "not, the program can hang.",
     "64 mutexes or more in memory that was allocated, used first at one place (a library's function that "
     "locks any mutex is one), and a circle of threads in the replay, each of which wants what the next "
     "holds.",
     "If the program can hang like this, let all threads take the mutexes in one order.",
     "parcast record -o crossed.parcast -- ./doubtful crossed\nparcast predict crossed.parcast --cpus 2"},
};

}  // namespace

std::span<CodeRow const> finding_codes() {
    return finding_rows;
}

}  // namespace parcast::report
