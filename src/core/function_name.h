// Names of functions as people call them.

#pragma once

#include <string>
#include <string_view>

namespace parcast {

// Without parameters, arguments of templates and unnamed namespaces: "in_parallel" of
// "void (anonymous namespace)::in_parallel<int>(unsigned long)" as debug information and symbols write it,
// "lambda in run (pool.cpp:12)" of "lambda in run(int) (pool.cpp:12)". Operators keep all of it.
std::string short_function_name(std::string_view name);

}  // namespace parcast
