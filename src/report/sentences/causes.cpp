#include "report/sentences/sentences.h"

#include "report/names.h"

namespace parcast::report {

std::string cause_label(Loss const& loss, Catalogue const& catalogue) {
    if (!loss.main_object)
        return row_of(loss.cause).alone;
    auto const object = placed_object_label(catalogue, loss.main_object->object);
    return loss.cause == Cause::spinning ? "spinning: " + object : object;
}

}  // namespace parcast::report
