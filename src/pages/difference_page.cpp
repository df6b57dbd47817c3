#include "pages/difference_page.h"

#include <algorithm>
#include <utility>

#include "page/content.h"
#include "report/difference.h"
#include "report/layout.h"

namespace parcast::pages {

namespace {

constexpr std::string_view simulator = "module";

// "pigz: A and B compared"
std::string title_of(ComparedSides const& compared) {
    auto const& [first, second] = std::pair(compared.sides[0], compared.sides[1]);
    auto const& command = first.command;
    auto const name = command.empty() ? first.file : command.front();
    return name.substr(name.rfind('/') + 1) + ": " + first.letter + " and " + second.letter + " compared";
}

}  // namespace

std::string difference_page(ComparedSides const& compared, ReportElements first, ReportElements second,
                            std::string_view parcast_version) {
    constexpr std::size_t text_width = 110;
    report::Layout const layout{report::Colour::off, text_width, report::Detail::all};
    auto elements = std::move(first.elements);
    bool const has_simulator =
        std::ranges::any_of(elements, [](page::Element const& element) { return element.id == simulator; });
    for (auto& element : second.elements) {
        if (element.id == simulator && has_simulator)
            continue;
        if (element.id != simulator)
            element.id = "b-" + element.id;
        elements.push_back(std::move(element));
    }
    elements.push_back({"difference", page::packed(report::difference_json(compared, parcast_version))});
    return page::with_data(page::template_page(), title_of(compared), elements,
                           report::difference_text(compared, layout));
}

}  // namespace parcast::pages
