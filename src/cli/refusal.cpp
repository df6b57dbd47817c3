#include "cli/refusal.h"

#include "cli/messages.h"

namespace parcast::cli {

int refuse(Refusal const& refusal) {
    print_error(refusal.message, refusal.advice);
    return refusal.status;
}

}  // namespace parcast::cli
