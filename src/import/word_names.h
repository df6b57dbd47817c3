// Names for the threads and objects of a program, where its own are missing, equal or unfit. Private to the
// writers.

#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "program/thread_program.h"

namespace parcast {

// As near to the program's own names as it allows that each is one word that does not begin with '#', and
// that no two are equal. Of threads' names that are longer than `most_letters` the beginning is kept, with
// the number of the thread.
struct WordNames {
    std::vector<std::string> threads;  // by ThreadId
    std::vector<std::string> objects;  // by ObjectId
};

WordNames word_names(ThreadProgram const& program,
                     std::size_t most_letters = std::numeric_limits<std::size_t>::max());

}  // namespace parcast
