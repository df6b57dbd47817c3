// Exempt from the length of a file: a table.
#include "report/codes/code_rows.h"

namespace parcast::report {

namespace {

constexpr CodeRow error_rows[] = {
    {"not_found", "", "A file, symbol or name does not exist.", "When it is opened or looked up.",
     "Check the name. `ls *.parcast` lists the recordings of a folder.", "parcast predict missing.parcast"},
    {"not_permitted", "", "The system refused to open or to change something.",
     "The system's answer, which is in the message.", "Change the permissions, or use a copy of yours.", "",
     "root may open everything, and tests may run as root"},
    {"malformed", "", "An input violates its grammar.", "At the place that the message names.",
     "Correct it there; the grammar of each format is in docs/formats.", "parcast predict cut.json"},
    {"truncated", "", "An input ends too early.", "At the place that the message names.",
     "Copy the file again, or record again: the disk may have been full.", "parcast info truncated.parcast"},
    {"corrupted", "", "A checksum does not match: the file was damaged.", "Each block has a checksum.",
     "Copy the file again from where it was written.", "parcast info flipped.parcast"},
    {"unsupported", "",
     "A version, kind or feature that this parcast does not know, or a verb does not take.",
     "By its name or number, when it is read.", "Use a newer parcast, or another verb: parcast help.",
     "parcast info loops.json"},
    {"out_of_range", "", "A number that this cannot take.", "When it is read.",
     "Take one within the range that the message names.", "parcast predict damaged.dot"},
    {"inconsistent", "", "Values contradict each other.", "When they are checked together.",
     "Change one of those that the message names.", "parcast predict loops.json --memory lock"},
    {"exhausted", "", "No space, memory or descriptors are left.", "The system's answer.",
     "Free some, or ask for less.", "", "it takes a full disk or little memory"},
    {"not_converged", "", "A solver gave up; the message names what was left.",
     "After its largest number of steps.", "Please report it with the input.", "",
     "no input is known that provokes it"},
    {"usage", "",
     "The command line asks for something that does not exist, or that this input has no answer to.",
     "Before anything runs.", "The message names the nearest word; parcast help VERB lists the options.",
     "parcast predict one_lock.parcast --cpu 4"},
    {"deadlock", "", "The prediction does not exist: the replay deadlocks.",
     "Threads wait for each other in a circle, on some number of CPUs.",
     "The message names the threads and locks. --model ordered keeps the order of the recording.",
     "parcast predict crossed_locks.parcast --cpus 2 --model direct"},
    {"not_written", "", "A result could not be written, or would replace a file.", "The system's answer.",
     "Name another file with -o, or replace the file with --force.",
     "parcast export one_lock.parcast --cpus 2 -o existing.json"},
    {"program_failed", "", "The program that was to be recorded or measured failed.", "By its exit status.",
     "Try it without parcast.", "parcast scale --cpus 1,2 -- ./doubtful fail"},
    {"not_recorded", "", "parcast cannot record this program here.", "Before it runs.",
     "The message says why; `parcast doctor PROGRAM` shows everything at once.",
     "PARCAST_RECORD_CLOCK=sundial parcast record -- ./doubtful nothing"},
    {"not_executable", "", "The file to be run is no program, or may not be executed.", "Before it runs.",
     "chmod +x FILE, or run its interpreter.", "parcast record -- /etc/passwd"},
    {"program_not_found", "", "There is no program of this name.", "In the folders of $PATH.",
     "Check the name, or give a path: ./NAME.", "parcast record -- no_such_program"},
    {"bug", "", "A mistake in parcast.", "A law that must hold does not.",
     "Please report it with the command line.", "", "no input is known that provokes it"},
    {"static_program", "is statically linked", "The program has no dynamic loader to put the recorder in.",
     "It has no PT_INTERP.", "Link it dynamically, without -static.", "parcast record -- ./static"},
    {"setuid_program", "(setuid or setgid)",
     "The program runs as another user: the loader ignores the recorder.", "By the permissions of its file.",
     "Record a copy without these bits: cp makes one.", "", "it takes a file of another user"},
    {"program_with_capabilities", "has file capabilities",
     "The program has file capabilities: the loader ignores the recorder.", "By an attribute of its file.",
     "Record a copy without them: cp makes one.", "", "root may set them, and root does not need them"},
    {"go_program", "is a Go program",
     "Go makes threads without the C library, so that their calls are unseen.",
     "By the note that Go's linker leaves.", "There is no way to record it.", "",
     "it takes a compiler of Go"},
    {"other_machine", "another kind of machine", "The program is for another processor.",
     "By the header of its file.", "Build it for x86-64.", "parcast record -- ./foreign"},
    {"other_c_library", "another C library than glibc", "The program uses a C library other than glibc.",
     "By its loader.", "Build it against glibc.", "", "it takes a compiler for musl"},
};

}  // namespace

std::span<CodeRow const> error_codes() {
    return error_rows;
}

}  // namespace parcast::report
