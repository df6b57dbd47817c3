#include "pamela/syntax/syntax.h"

namespace parcast::pamela {

char const* name_of(EquationKind kind) {
    switch (kind) {
        case EquationKind::numeric: return "numeric";
        case EquationKind::process: return "process";
        case EquationKind::resource: return "resource";
    }
    return "";
}

}  // namespace parcast::pamela
