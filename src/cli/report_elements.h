// The data of a report, packed as elements of its page (web/src/report_source.ts reads them).

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/prediction.h"
#include "page/document.h"

namespace parcast::cli {

struct ReportElements {
    std::vector<page::Element> elements;
    std::vector<std::string> notes;  // what is left out, and what that means to a reader; sentences
};

// `overview` first. With a simulator in it the report answers for any number of CPUs; the executions of the
// predicted counts lie beside it for browsers that run no WebAssembly. Errors: a bug in parcast.
Result<ReportElements> report_elements(PredictedProgram const& predicted, bool with_source_text,
                                       unsigned workers);

}  // namespace parcast::cli
