#include "page/content.h"
#include "pages/report_elements.h"
#include "report/layout.h"
#include "report/tuning.h"

namespace parcast::pages {

std::string tuning_page(Tuning const& tuning, std::string_view parcast_version) {
    constexpr std::size_t text_width = 110;
    report::Layout const layout{report::Colour::off, text_width, report::Detail::all};
    return page::with_data(page::template_page(), report::tuning_title(tuning),
                           {{"tuning", page::packed(report::tuning_json(tuning, parcast_version))}},
                           report::tuning_text(tuning, layout));
}

}  // namespace parcast::pages
