#include "cli/interruption.h"

#include "cli/terminal.h"

namespace parcast::cli {

int Interruption::status_or(int usual) {
    auto const signal = measure::take_ending_signal();
    return signal ? 128 + *signal : usual;
}

int Interruption::print_failure_or_interruption(Error const& error) {
    if (!has_come())
        return print_failure(error);
    print_warning("interrupted before there was anything to print");
    return status_or(0);
}

}  // namespace parcast::cli
