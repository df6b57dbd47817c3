// Programs of other tools and what these print for them, where they lie beside the repository.

#pragma once

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace parcast {

inline std::string sample(std::string const& name) {
    std::ifstream file(std::string(PARCAST_SAMPLES) + "/" + name, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

inline bool are_samples_there() {
    return std::filesystem::exists(PARCAST_SAMPLES);
}

}  // namespace parcast
