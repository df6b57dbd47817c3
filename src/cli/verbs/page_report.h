// A report of a recording or a task graph: `parcast report` writes it, and `parcast view` gives it to its
// page, which saves what it shows.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/input.h"
#include "cli/verbs/page_arguments.h"
#include "cli/verbs/signature.h"
#include "core/error.h"
#include "core/result.h"
#include "report/json/json_parts.h"

namespace parcast::cli {

// The document, and what is printed about it.
struct Report {
    report::Json input;
    std::string document;
    report::Json elements = report::Json::array();
    std::vector<std::string> notes;
    std::vector<std::string> warnings;
    std::string size_note;               // empty: it is not large
    std::optional<Error> no_prediction;  // for some numbers of CPUs, or for all
};

// The question for `signature` of a page whose file is a folder.
SignatureArguments series_in_folder(PageArguments const& page);

// `view`: what the report shows at first, as the address of a page has it behind '#'; empty: the usual.
Result<Report> report_of_runs(PageArguments asked, Input input, std::string const& view = {});

}  // namespace parcast::cli
