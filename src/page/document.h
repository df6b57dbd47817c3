// The page as one document that carries its data: elements that no browser runs, where the template has its
// marker.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace parcast::page {

struct Element {
    std::string id;      // letters, digits and hyphens
    std::string packed;  // packing.h
};

// `&`, `<`, `>` and quotes as HTML writes them.
std::string escaped(std::string_view text);

// The title is what a file manager or a message shows of the document before a script runs.
// REQUIRES: the page has one marker and the title of the template.
std::string with_data(std::string_view page, std::string_view title, std::vector<Element> const& elements);

}  // namespace parcast::page
