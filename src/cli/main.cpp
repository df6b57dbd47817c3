// parcast VERB ...: the outermost ring. Parses, dispatches, and holds the one catch-all of the project.

#include <exception>
#include <new>
#include <span>

#include <malloc.h>

#include "cli/arguments.h"
#include "cli/exit_status.h"
#include "cli/terminal.h"

namespace parcast::cli {

namespace {

int run(std::span<char const* const> words) {
    auto const command = parse_arguments(words);
    return command ? (*command)() : print_failure(command.error());
}

// Parts of a recording are freed while others are made of it (core/chunked_list.h). By default malloc keeps
// blocks of up to 32 MiB for itself once one was freed; so they go back to the system.
constexpr int least_returned_block = 256 * 1024;

}  // namespace

}  // namespace parcast::cli

int main(int count, char** words) {
    using namespace parcast::cli;
    mallopt(M_MMAP_THRESHOLD, least_returned_block);
    try {
        std::span<char const* const> const all(words, static_cast<std::size_t>(count));
        return run(count > 0 ? all.subspan(1) : all);
    } catch (std::bad_alloc const&) {
        print_error("there is not enough memory for this",
                    "Try a machine with more, a shorter run, or a smaller graph.");
        return exit_input;
    } catch (std::exception const& error) {
        print_error(std::string("a bug in parcast: ") + error.what(),
                    "Please report it with the command line.");
        return exit_bug;
    }
}
