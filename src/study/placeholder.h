// {cpus} in a command: what the program is told.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace parcast::study {

bool has_placeholder(std::vector<std::string> const& command);

// Every {cpus} replaced, wherever in a word it stands.
std::string with_count(std::string text, std::uint32_t cpus);
std::vector<std::string> with_count(std::vector<std::string> command, std::uint32_t cpus);

}  // namespace parcast::study
