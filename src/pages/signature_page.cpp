#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "core/counted.h"
#include "page/content.h"
#include "pages/report_elements.h"
#include "report/layout.h"
#include "report/signature.h"

namespace parcast::pages {

namespace {

// "jacobi: signature of 7 recordings"
std::string title_of_series(SignatureAnswer const& answer) {
    auto const& command = answer.recordings.back().command;
    auto const program = command.empty() ? "" : std::filesystem::path(command.front()).filename().string();
    return program + ": signature of " +
           counted(static_cast<std::int64_t>(answer.recordings.size()), "recording");
}

}  // namespace

page::Element signature_element(SignatureAnswer const& answer, std::string_view parcast_version) {
    return {"signature", page::packed(report::signature_json(answer, parcast_version,
                                                             report::SignatureRows::with_threads))};
}

std::string signature_page(SignatureAnswer const& answer, page::Element const& data) {
    constexpr std::size_t text_width = 110;
    report::Layout const layout{report::Colour::off, text_width, report::Detail::all};
    return page::with_data(page::template_page(), title_of_series(answer), {data},
                           report::signature_text(answer, layout));
}

}  // namespace parcast::pages
