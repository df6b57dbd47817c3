// Names of functions as people call them.

#pragma once

#include <string>
#include <string_view>

namespace parcast {

// Before the function that makes threads which have no name and no symbol: "threads of launch".
inline constexpr std::string_view threads_of = "threads of ";

// Without parameters, arguments of templates and unnamed namespaces: "in_parallel" of
// "void (anonymous namespace)::in_parallel<int>(unsigned long)" as debug information and symbols write it,
// "lambda in run (pool.cpp:12)" of "lambda in run(int) (pool.cpp:12)", "Queue::operator()". What stands
// behind threads_of is shortened alone. Lambdas as symbols write them keep all of it.
std::string short_function_name(std::string_view name);

}  // namespace parcast
