// Real programs, to be measured bare and recorded: compressors that hand blocks to four threads.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace parcast::bench {

struct Program {
    std::string_view name;
    std::string_view arguments;  // the input file follows
};

std::vector<Program> const& programs();

// Writes some megabytes that compress as text does; always the same.
void write_text(std::string const& path);

}  // namespace parcast::bench
