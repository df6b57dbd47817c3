#include "import/json_reader.h"

#include <algorithm>
#include <utility>

#include "import/reader_parts.h"

namespace parcast {

namespace {

// From a JSON error to what is wrong with the text.
char const* meaning(simdjson::error_code error) {
    switch (error) {
        case simdjson::EMPTY: return "the file is empty";
        case simdjson::UTF8_ERROR: return "the file has bytes that are not UTF-8";
        case simdjson::UNCLOSED_STRING: return "a text is not closed: a \" is missing";
        case simdjson::UNESCAPED_CHARS: return "a text has a line end or a control character";
        case simdjson::INCOMPLETE_ARRAY_OR_OBJECT: return "a ] or } is missing";
        case simdjson::STRING_ERROR: return "a text has a wrong escape";
        case simdjson::DEPTH_ERROR: return "lists and objects are nested too deeply";
        case simdjson::CAPACITY: return "the file is over 4 GB";
        case simdjson::MEMALLOC: return "there is not enough memory to read the file";
        default: return "this is not JSON: a comma, colon or bracket is missing, or one too many";
    }
}

// The first control character within quotes.
std::size_t control_character_in(std::string_view text) {
    bool is_quoted = false;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (is_quoted && static_cast<unsigned char>(text[at]) < 0x20)
            return at;
        if (is_quoted && text[at] == '\\')
            ++at;
        else if (text[at] == '"')
            is_quoted = !is_quoted;
    }
    return text.size();
}

// The first line with bytes that are not UTF-8.
std::size_t line_that_is_not_utf8(std::string_view text) {
    std::size_t start = 0;
    while (start < text.size()) {
        auto const end = std::min(text.find('\n', start), text.size());
        if (!simdjson::validate_utf8(text.substr(start, end - start)))
            return start;
        start = end + 1;
    }
    return 0;
}

bool is_about_the_value(simdjson::error_code error) {
    return error == simdjson::INCORRECT_TYPE || error == simdjson::NUMBER_ERROR ||
           error == simdjson::NUMBER_OUT_OF_RANGE;
}

}  // namespace

JsonReader::JsonReader(std::string text, std::string_view file) : text_(std::move(text)), file_(file) {
    text_.reserve(text_.size() + simdjson::SIMDJSON_PADDING);
}

bool JsonReader::start() {
    simdjson::padded_string_view const padded(text_.data(), text_.size(), text_.capacity());
    is_started_ = false;
    is_started_ = checked(parser_.iterate(padded).get(document_), "", 0);
    return is_started_;
}

void JsonReader::forget() {
    is_started_ = false;
    document_ = simdjson::ondemand::document();
    parser_ = simdjson::ondemand::parser();
    std::string().swap(text_);
}

bool JsonReader::ends() {
    if (document_.current_location().error() == simdjson::OUT_OF_BOUNDS)
        return true;
    return complain(ErrorCode::malformed, "there is something after the end of the object", place());
}

std::size_t JsonReader::place() {
    char const* location = nullptr;
    if (document_.current_location().get(location) != simdjson::SUCCESS)
        return text_.size();
    return static_cast<std::size_t>(location - text_.data());
}

std::uint32_t JsonReader::line_of(std::size_t offset) {
    if (offset < counted_to_) {
        counted_to_ = 0;
        line_ = 1;
    }
    std::string_view const text(text_);
    auto const end = std::min(offset, text.size());
    auto const passed = text.substr(counted_to_, end - counted_to_);
    line_ += static_cast<std::uint32_t>(std::ranges::count(passed, '\n'));
    counted_to_ = end;
    return line_;
}

bool JsonReader::complain_of(simdjson::error_code error, char const* expected, std::size_t at) {
    if (is_about_the_value(error))
        return complain(ErrorCode::malformed, expected, at);
    return complain(ErrorCode::malformed, meaning(error), place_of(error));
}

// Errors of the whole text come before there is a place in it.
std::size_t JsonReader::place_of(simdjson::error_code error) {
    switch (error) {
        case simdjson::UTF8_ERROR: return line_that_is_not_utf8(text_);
        case simdjson::UNCLOSED_STRING:
        case simdjson::UNESCAPED_CHARS: return control_character_in(text_);
        case simdjson::INCOMPLETE_ARRAY_OR_OBJECT: return text_.size();
        default: return is_started_ ? place() : 0;
    }
}

bool JsonReader::complain(ErrorCode code, std::string message, std::size_t at) {
    if (!error_)
        error_ = Error{code, std::move(message), place_in(text_, at, file_)};
    return false;
}

}  // namespace parcast
