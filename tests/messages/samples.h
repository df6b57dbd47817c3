// Programs in the formats of other tools. Their README says where the numbers come from.

#pragma once

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

}  // namespace parcast
