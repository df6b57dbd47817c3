#include "trace/symbols/thread_callable.h"

#include <algorithm>

#include "core/path.h"

namespace parcast::trace {

namespace {

constexpr std::string_view state_vtable = "_ZTVNSt6thread11_State_implI";

// Up to the first comma or closing bracket outside any bracket of its own.
std::string_view first_argument(std::string_view text) {
    int depth = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        char const c = text[i];
        if (c == '<' || c == '(' || c == '{') {
            ++depth;
        } else if (c == '>' || c == ')' || c == '}') {
            if (depth == 0)
                return text.substr(0, i);
            --depth;
        } else if (c == ',' && depth == 0) {
            return text.substr(0, i);
        }
    }
    return text;
}

bool is_own(std::string const& file, std::uint32_t line) {
    return line != 0 && !file.empty() && !is_library_header(file);
}

// The first line of the program itself in a function; one of the library's may have inlined it, and it
// may have inlined the library's.
std::optional<Place> first_own_line(ModuleSymbols const& symbols, Symbol const& function) {
    constexpr std::uint64_t enough_lines = 4096;
    constexpr std::uint64_t enough_frames = 256;  // these cost some microseconds each
    for (std::uint64_t offset = 0; offset < std::min(function.size, enough_lines); ++offset) {
        auto const place = symbols.place_of(function.address + offset);
        if (place && is_own(place->file, place->line))
            return place;
    }
    for (std::uint64_t offset = 0; offset < std::min(function.size, enough_frames); ++offset) {
        for (Frame const& frame : symbols.frames_at(function.address + offset))
            if (is_own(frame.file, frame.line))
                return Place{frame.file, frame.line};
    }
    return std::nullopt;
}

// The function call operator of a callable type, or _M_run, into which it was inlined.
std::optional<Symbol> call_operator(ModuleSymbols const& symbols, Symbol const& vtable,
                                    std::string const& type) {
    std::string const prefix = type + "::operator()(";
    auto const own = symbols.find_symbol(vtable.address, [&](Symbol const& symbol) {
        return symbol.is_function && symbol.name.find("clE") != std::string::npos &&
               demangle(symbol.name).starts_with(prefix);
    });
    if (own)
        return own;
    // _ZTVN...E is the vtable of ...; its run function is _ZN...6_M_runEv.
    std::string const run = "_Z" + vtable.name.substr(4, vtable.name.size() - 5) + "6_M_runEv";
    return symbols.find_symbol(vtable.address, [&](Symbol const& symbol) { return symbol.name == run; });
}

ThreadFunction function_of_type(ModuleSymbols const& symbols, Symbol const& vtable, std::string const& type) {
    ThreadFunction function;
    auto const lambda = lambda_name(type);
    bool const is_async = type.starts_with("std::__future_base::");
    function.frame.function = is_async ? "task of std::async" : lambda ? *lambda : type + "::operator()";
    function.name = function.frame.function;
    auto const code = is_async ? std::nullopt : call_operator(symbols, vtable, type);
    function.address = code ? code->address : vtable.address;
    if (auto const place = code ? first_own_line(symbols, *code) : std::nullopt) {
        function.frame.file = place->file;
        function.frame.line = place->line;
        if (lambda)
            function.name += " (" + file_name(place->file) + ":" + std::to_string(place->line) + ")";
    }
    return function;
}

std::optional<ThreadFunction> function_among(ModuleSymbols const& symbols,
                                             std::vector<std::uint64_t> const& words) {
    for (std::uint64_t const word : words) {
        auto const symbol = symbols.symbol_at(word);
        if (symbol && symbol->is_function && symbol->address == word) {
            auto const place = symbols.place_of(word).value_or(Place{});
            std::string const name = demangle(symbol->name);
            return ThreadFunction{name, word, {name, place.file, place.line}};
        }
    }
    return std::nullopt;
}

}  // namespace

std::optional<std::string> callable_type(std::string_view demangled_vtable) {
    constexpr std::string_view begin = "vtable for std::thread::_State_impl<";
    constexpr std::string_view arguments = "std::tuple<";
    std::size_t const tuple = demangled_vtable.find(arguments);
    if (!demangled_vtable.starts_with(begin) || tuple == demangled_vtable.npos)
        return std::nullopt;
    return std::string(first_argument(demangled_vtable.substr(tuple + arguments.size())));
}

std::optional<std::string> lambda_name(std::string_view type) {
    std::size_t const lambda = type.rfind("::{lambda(");
    if (lambda == type.npos)
        return std::nullopt;
    return "lambda in " + std::string(type.substr(0, lambda));
}

std::optional<ThreadFunction> thread_callable(ModuleSymbols const& symbols,
                                              std::vector<std::uint64_t> const& words) {
    for (std::uint64_t const word : words) {
        auto const vtable = symbols.symbol_at(word);
        if (!vtable || !vtable->name.starts_with(state_vtable))
            continue;
        auto const type = callable_type(demangle(vtable->name));
        // A pointer to a function or member function: "void (*)(int)", "void (Pool::*)()".
        bool const is_pointer = !type || type->find("*)(") != type->npos;
        if (!is_pointer)
            return function_of_type(symbols, *vtable, *type);
    }
    return function_among(symbols, words);
}

}  // namespace parcast::trace
