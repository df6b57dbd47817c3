// The models of examples/pamela, for the benchmarks of what is made of them. PARCAST_EXAMPLE_MODELS is their
// folder.

#pragma once

#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

#include "core/ensure.h"
#include "core/result.h"

namespace parcast::bench {

// What pamela::compile() asks for files of samples: the examples name none.
inline Result<std::string> no_files(std::string_view name) {
    return fail(ErrorCode::not_found, std::string(name));
}

inline std::string example(std::string const& name) {
    std::ifstream stream(std::string(PARCAST_EXAMPLE_MODELS) + "/" + name);
    std::ostringstream text;
    text << stream.rdbuf();
    ensure(!text.str().empty(), "the example is there");
    return text.str();
}

}  // namespace parcast::bench
