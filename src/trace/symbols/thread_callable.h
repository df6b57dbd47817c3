// Which function a std::thread runs. Its start routine is always libstdc++'s own; what the program passed
// is in a state object: a vtable pointer, whose symbol spells the type of the callable, and the callable
// itself with its arguments.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/catalogue.h"
#include "trace/symbols/module_symbols.h"

namespace parcast::trace {

// The callable's type out of "vtable for std::thread::_State_impl<...std::tuple<CALLABLE, ...> > >", as
// demangled. None if it is another name.
std::optional<std::string> callable_type(std::string_view demangled_vtable);

// "main::{lambda(int)#1}" -> "lambda in main". None if the type is no lambda.
std::optional<std::string> lambda_name(std::string_view type);

struct ThreadFunction {
    std::string name;           // "worker(int)", "lambda in main (file.cpp:12)", "Filter::operator()"
    std::uint64_t address = 0;  // where it begins
    Frame frame;
};

// None if the words tell nothing, as in a stripped program.
std::optional<ThreadFunction> thread_callable(ModuleSymbols const& symbols,
                                              std::vector<std::uint64_t> const& words);

}  // namespace parcast::trace
