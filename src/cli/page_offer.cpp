#include "cli/page_offer.h"

#include <cstddef>

#include "program/thread_program.h"

namespace parcast::cli {

std::vector<std::string> operation_names() {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < operation_kind_count; ++i)
        names.emplace_back(name_of(static_cast<OperationKind>(i)));
    return names;
}

}  // namespace parcast::cli
