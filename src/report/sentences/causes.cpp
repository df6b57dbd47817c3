#include "report/sentences/sentences.h"

#include "report/names.h"

namespace parcast::report {

std::string cause_label(Limit const& limit, Catalogue const& catalogue) {
    if (limit.object.is_none())
        return row_of(limit.cause).alone;
    auto const object = placed_object_label(catalogue, limit.object);
    return limit.cause == Cause::spinning ? "spinning: " + object : object;
}

}  // namespace parcast::report
