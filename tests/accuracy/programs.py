"""Which programs is the accuracy of predictions measured with, and on which inputs?

`{cpus}` is what `parcast scale` replaces. `{examples}`, `{inputs}`, `{built}` and `{outputs}` are folders. A run takes one to three seconds on
one CPU. Programs of Debian are named with their package.
"""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Program:
    name: str
    command: str
    package: str = ""  # of Debian; none: an example
    inputs: tuple = ()  # functions of inputs.py
    before: str = ""  # a shell command before each run
    cpus: str = "2,4"  # a program that makes the same threads whatever it is told needs one count
    about: str = ""  # how it synchronises
    cause: str = ""  # of a miss, found by looking closer


SHARED_CACHE = ("Threads that take turns on one CPU evict each other's tables from its caches; on two CPUs they do not. The prediction leaves out what `scale` measured of "
                "that beside the recording, and the price of a turn changes from minute to minute ([decision](decisions/2026-11-21-price-of-a-turn.md)). In the usual slices user time")

EXAMPLES = (
    Program("lu", "{examples}/lu {cpus}", about="pthread barriers, three per step",
            cause="Two causes. Linux leaves both threads on one CPU for a while after a barrier: seven runs of two threads took 0.55 to 0.68 s (0.88 s in another series), with up "
                  "to 166 forced switches where two threads on two CPUs need none; with each bound to a CPU 0.55 to 0.56 s, and at most 57. The rest is its own code, slower on two CPUs by 4 to 35 % from series to series: its blocks of 2 KB belong to the two threads "
                  "in turn, and what a CPU prefetches at the end of one most likely belongs to the other CPU. Threads that take turns, one on each CPU, lose as much; with the blocks of a thread one after the other in memory two CPUs need 0.59 s "
                  "of CPU time, beside 0.58 s on one, where the program as it is needs 0.90 and 0.67 s ([decision](decisions/2026-11-21-where-errors-come-from.md))."),
    Program("radix_sort", "{examples}/radix_sort {cpus}", about="barrier of a mutex and a condition; serial prefix sums"),
    Program("six_step_fft", "{examples}/six_step_fft {cpus}", about="std::barrier (futex)"),
    Program("red_black_grid", "{examples}/red_black_grid {cpus} 600", about="pthread barriers, two per sweep of a fraction of a millisecond",
            cause="Its CPUs halt at every barrier, and on a virtual machine a halted CPU costs more than the latency of waking it: with both "
                  "CPUs kept from halting by SCHED_IDLE loops the same program took 0.44 s instead of 0.55 s (speed-up 1.72) and 12 % less user time."),
    Program("n_largest", "{examples}/n_largest {cpus} 29", about="create and join, twice"),
    Program("quicksort", "{examples}/quicksort 10000000 100000", cpus="2", about="create and join, a tree of threads"),
    Program("prime_filters", "{examples}/prime_filters 397 80000", cpus="2", about="mutex and two conditions per channel, 80 threads"),
    Program("one_lock", "{examples}/producer_consumer_one_lock 75 150000", cpus="2", about="one mutex around nearly everything, 225 threads"),
    Program("many_locks", "{examples}/producer_consumer_many_locks 75 150000", cpus="2", about="100 buffers with two mutexes, semaphore, 225 threads"),
    Program("n_body", "{examples}/n_body {cpus}", about="a mutex for every pair of bodies, millions per second; barriers",
            cause="It takes 15 million locks per second, of bodies that both threads reach at the same time. With a lock for every pair its user time grows from "
                  "0.41 s on one CPU to 0.49 s on two (best of seven each), without any lock from 0.34 to 0.37 s, with private sums, which take 270 locks, from 0.34 to "
                  "0.36 s. The replay does not charge for that ([decision](decisions/2026-11-22-lines-of-locks.md))."),
    Program("gateway", "{examples}/gateway 2 6 400000 8 0 0", cpus="2", about="queues of a mutex and a condition, file writes and fdatasync"),
)

DEBIAN = (
    Program("pigz", "pigz -c -p {cpus} {inputs}/mixed.data", "pigz", ("mixed_data",), about="mutex and condition, broadcast on every release"),
    Program("pbzip2", "pbzip2 -k -c -p{cpus} {inputs}/mixed.data", "pbzip2", ("mixed_data",), about="queue of a mutex and conditions"),
    Program("lbzip2", "lbzip2 -k -c -n {cpus} {inputs}/mixed.data", "lbzip2", ("mixed_data",), about="priority queues under one mutex"),
    Program("plzip", "plzip -k -c -1 -B 1MiB -n {cpus} {inputs}/small.data", "plzip", ("small_data",), about="few large blocks",
            cause=f"{SHARED_CACHE} was 1.08 s with one thread on one CPU, 1.51 s with two there, 1.31 s with two on two."),
    Program("zstd", "zstd -9 -c -T{cpus} {inputs}/mixed.data", "zstd", ("mixed_data",), about="thread pool, mutex and condition",
            cause=f"{SHARED_CACHE} was 0.99 s with one thread on one CPU, 1.51 s with two there, 1.26 s with two on two."),
    Program("xz", "xz -1 --block-size=1MiB -k -c -T{cpus} {inputs}/small.data", "xz-utils", ("small_data",), about="a block per thread, mutex and condition",
            cause=f"{SHARED_CACHE} was 0.92 s with one thread on one CPU, 1.08 s with two there, 0.89 s with two on two."),
    Program("7z", "7z a -bd -mx=1 -mmt={cpus} {outputs}/archive.7z {inputs}/mixed.data", "p7zip-full", ("mixed_data",),
            before="rm -f {outputs}/archive.7z", about="LZMA2 with a match finder thread",
            cause="Caches, as with the other programs that use LZMA (xz, plzip): the longer the slices, the less CPU time its recordings have."),
    Program("mksquashfs", "mksquashfs {inputs}/files {outputs}/files.squashfs -processors {cpus} -noappend -no-progress", "squashfs-tools",
            ("file_tree",), before="rm -f {outputs}/files.squashfs", about="queues of mutexes and conditions: reader, deflators, fragments, writer"),
    Program("ffmpeg", "ffmpeg -v error -f lavfi -i testsrc2=duration=4:size=640x360:rate=25 -c:v libx264 -threads {cpus} -f null -",
            "ffmpeg", about="frame threads of x264, conditions; a serial source",
            cause="Its system time is 120 to 190 ms on two CPUs and 50 to 70 ms on one (fastest runs of two series), for 18,600 page faults and 400 to 800 waits."),
    Program("openblas", "{built}/blas_solve {cpus} 4000", "libopenblas0-pthread", about="spins with sched_yield, then sleeps on a condition"),
    Program("git", "git -C {inputs}/repository pack-objects --threads={cpus} --all --revs --no-reuse-delta --no-reuse-object -q --stdout",
            "git", ("repository",), about="a condition per thread, work stealing under a mutex",
            cause="In the fastest runs of two series its system time was 132 to 212 ms on one CPU and 198 to 229 ms on two, mostly for 42,000 page faults, "
                  "and its threads waited five to nine times as often (60 to 170, 500 to 720): very probably for each other, on the memory map and on the lock "
                  "under which it reads objects."),
    Program("sort", "sort --parallel={cpus} -S 400M {inputs}/lines.data", "coreutils", ("lines_data",), about="merge tree: mutex and condition per node; serial read and write"),
    Program("gm", "gm convert -limit threads {cpus} {inputs}/image.ppm -blur 0x10 null:", "graphicsmagick", ("image",), about="libgomp loops, guided"),
    Program("sysbench", "sysbench cpu --cpu-max-prime=10000 --time=0 --events=3000 --threads={cpus} run", "sysbench", about="events from one counter"),
)

PROGRAMS = {program.name: program for program in EXAMPLES + DEBIAN}
