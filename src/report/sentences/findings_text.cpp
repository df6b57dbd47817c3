#include "report/sentences/sentences.h"

#include <algorithm>

#include "report/codes/codes.h"
#include "report/names.h"
#include "report/text.h"

namespace parcast::report {

std::string findings_text(std::span<Finding const> findings, Catalogue const& catalogue,
                          Layout const& layout) {
    std::string text;
    for (auto const& finding : findings) {
        bool const is_warning = finding.severity == Severity::warning;
        std::string const head = is_warning ? "warning: " : "note: ";
        std::string const paragraph =
            wrapped(head + printable(sentence_with_code(finding)), layout.width, head.size()) + '\n';
        text += painted(head, is_warning ? Emphasis::worst : Emphasis::none, layout.colour) +
                paragraph.substr(head.size());
        if (!finding.site.is_none()) {
            std::string const margin(head.size(), ' ');
            text +=
                wrapped(margin + "at " + shown(catalogue, finding.site), layout.width, head.size()) + '\n';
        }
    }
    return text;
}

bool has_warning(std::span<Finding const> findings) {
    return std::any_of(findings.begin(), findings.end(),
                       [](Finding const& finding) { return finding.severity == Severity::warning; });
}

}  // namespace parcast::report
