#include "cli/files/json_text.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "cli/files/files.h"
#include "import/reader_parts.h"

namespace parcast::cli {

namespace {

using Json = nlohmann::json;

// Where a text stops being JSON, from 1 on.
struct FirstError : nlohmann::detail::json_sax_acceptor<Json> {
    std::size_t at = 0;

    bool parse_error(std::size_t position, std::string const&, nlohmann::detail::exception const&) {
        at = position > 0 ? position - 1 : 0;
        return false;
    }
};

}  // namespace

Result<std::string> read_json_text(std::string const& path) {
    auto text = read_text(path);
    FirstError syntax;
    if (!text || Json::sax_parse(*text, &syntax))
        return text;
    return fail(ErrorCode::malformed, "this is no JSON from here on",
                place_in(*text, std::min(syntax.at, text->size()), path));
}

}  // namespace parcast::cli
