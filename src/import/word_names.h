// Names for the threads and objects of a program, where its own are missing, equal or unfit. Private to the
// writers.

#pragma once

#include <string>
#include <vector>

#include "program/thread_program.h"

namespace parcast {

// As near to the program's own names as it allows that each is one word that does not begin with '#', and
// that no two are equal.
struct WordNames {
    std::vector<std::string> threads;  // by ThreadId
    std::vector<std::string> objects;  // by ObjectId
};

WordNames word_names(ThreadProgram const& program);

}  // namespace parcast
