// parcast VERB ...: the outermost ring. Parses, dispatches, and holds the one catch-all of the project.

#include <exception>
#include <new>
#include <span>
#include <variant>

#include <malloc.h>

#include "cli/arguments.h"
#include "cli/exit_status.h"
#include "cli/messages.h"
#include "cli/terminal.h"

namespace parcast::cli {

namespace {

struct Dispatch {
    int operator()(CalibrateArguments const& arguments) const { return calibrate(arguments); }
    int operator()(ExportArguments const& arguments) const { return export_execution(arguments); }
    int operator()(ExtractArguments const& arguments) const { return extract_task_graph(arguments); }
    int operator()(FormulaArguments const& arguments) const { return formula(arguments); }
    int operator()(GenerateArguments const& arguments) const { return generate_input(arguments); }
    int operator()(InfoArguments const& arguments) const { return info(arguments); }
    int operator()(PredictArguments const& arguments) const { return predict(arguments); }
    int operator()(RecordArguments const& arguments) const { return record(arguments); }
    int operator()(ReportArguments const& arguments) const { return report(arguments); }
    int operator()(ScaleArguments const& arguments) const { return scale(arguments); }
    int operator()(VarianceArguments const& arguments) const { return variance(arguments); }
    int operator()(ViewArguments const& arguments) const { return view(arguments); }
    int operator()(Answer const& answer) const { return print_result(answer.text); }
    int operator()(UsageError const& error) const {
        print_error(error.message, error.advice);
        return exit_usage;
    }
};

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
        return std::visit(Dispatch{}, parse_arguments(count > 0 ? all.subspan(1) : all));
    } catch (std::bad_alloc const&) {
        print_error("there is not enough memory for this.",
                    "Try a machine with more, a shorter run, or a smaller graph.");
        return exit_input;
    } catch (std::exception const& error) {
        print_error(std::string("a bug in parcast: ") + error.what() + ".",
                    "Please report it with the command line.");
        return exit_bug;
    }
}
