#include "page/content.h"

extern "C" {
extern char const parcast_page_begin[];
extern char const parcast_page_end[];
extern std::byte const parcast_module_begin[];
extern std::byte const parcast_module_end[];
extern std::byte const parcast_model_module_begin[];
extern std::byte const parcast_model_module_end[];
}

namespace parcast::page {

std::string_view template_page() {
    return {parcast_page_begin, static_cast<std::size_t>(parcast_page_end - parcast_page_begin)};
}

std::span<std::byte const> module_bytes() {
    return {parcast_module_begin, static_cast<std::size_t>(parcast_module_end - parcast_module_begin)};
}

std::span<std::byte const> model_module_bytes() {
    return {parcast_model_module_begin,
            static_cast<std::size_t>(parcast_model_module_end - parcast_model_module_begin)};
}

}  // namespace parcast::page
