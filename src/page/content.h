// What a page is made of: its parts, how they are packed, and the document.

#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace parcast::page {

// The files of web/dist that are built into this program: the page, and the simulator that a report carries.

// One HTML document with its script and style inside; data go where its marker stands.
std::string_view template_page();

// The simulator as WebAssembly (web/module).
std::span<std::byte const> module_bytes();

// What evaluates and simulates models, as WebAssembly: the page of a model carries it.
std::span<std::byte const> model_module_bytes();

// Bytes as text that can stand in an HTML document: gzip (RFC 1952), then base64 (RFC 4648). The alphabet has
// no sign that HTML gives a meaning to, so whatever the bytes are, they cannot end the element that they
// stand in.

// The same bytes for the same content: the header has neither a time nor a name.
std::vector<std::byte> gzip(std::span<std::byte const> content);

std::string base64(std::span<std::byte const> bytes);

std::string packed(std::span<std::byte const> content);
std::string packed(std::string_view content);

// The page as one document that carries its data: elements that no browser runs, where the template has its
// marker.
struct Element {
    std::string id;      // letters, digits and hyphens
    std::string packed;  // packed()
};

// `&`, `<`, `>` and quotes as HTML writes them.
std::string escaped(std::string_view text);

// The title is what a file manager or a message shows of the document before a script runs; `plain` is shown
// where no script runs.
// REQUIRES: the page has one marker and the title of the template.
std::string with_data(std::string_view page, std::string_view title, std::vector<Element> const& elements,
                      std::string_view plain = {});

}  // namespace parcast::page
