// Bytes as text that can stand in an HTML document: gzip (RFC 1952), then base64 (RFC 4648). The alphabet has
// no sign that HTML gives a meaning to, so whatever the bytes are, they cannot end the element that they
// stand in.

#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace parcast::page {

// The same bytes for the same content: the header has neither a time nor a name.
std::vector<std::byte> gzip(std::span<std::byte const> content);

std::string base64(std::span<std::byte const> bytes);

std::string packed(std::span<std::byte const> content);
std::string packed(std::string_view content);

}  // namespace parcast::page
