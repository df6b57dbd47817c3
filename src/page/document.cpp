#include "page/content.h"

#include <algorithm>
#include <utility>

#include "core/ensure.h"

namespace parcast::page {

namespace {

constexpr std::string_view marker = "<!--parcast-data-->";
constexpr std::string_view title_of_template = "<title>parcast</title>";

// What is before `part` and what is after it.
std::pair<std::string_view, std::string_view> split(std::string_view text, std::string_view part) {
    auto const at = text.find(part);
    ensure(at != std::string_view::npos && text.find(part, at + 1) == std::string_view::npos,
           "the page has its marker and its title once");
    return {text.substr(0, at), text.substr(at + part.size())};
}

bool is_plain(std::string_view id) {
    return std::ranges::all_of(id, [](char letter) {
        return (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9') || letter == '-';
    });
}

}  // namespace

std::string escaped(std::string_view text) {
    std::string result;
    for (char const letter : text) {
        switch (letter) {
            case '&': result += "&amp;"; break;
            case '<': result += "&lt;"; break;
            case '>': result += "&gt;"; break;
            case '"': result += "&quot;"; break;
            case '\'': result += "&#39;"; break;
            default: result += letter;
        }
    }
    return result;
}

std::string with_data(std::string_view page, std::string_view title, std::vector<Element> const& elements,
                      std::string_view plain) {
    auto const [head, rest] = split(page, title_of_template);
    auto const [body, tail] = split(rest, marker);
    std::size_t size = page.size() + 2 * (title.size() + plain.size());
    for (auto const& element : elements)
        size += element.packed.size() + 100;
    std::string document;
    document.reserve(size);
    document.append(head).append("<title>").append(escaped(title)).append(" – parcast</title>").append(body);
    if (!plain.empty())
        document.append("<noscript><pre>").append(escaped(plain)).append("</pre></noscript>\n");
    for (auto const& [id, packed] : elements) {
        ensure(is_plain(id), "an element's id is plain");
        document.append("<script type=\"application/octet-stream\" id=\"").append(id).append("\">");
        document.append(packed).append("</script>\n");
    }
    return document.append(tail);
}

}  // namespace parcast::page
