// Reads JSON of any size in one pass with simdjson, and keeps the first error with its line and column, so
// that the code which reads a format is a list of its fields. Every call says whether to go on. What is
// skipped is not checked beyond its brackets. Private to the readers.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <simdjson.h>

#include "core/error.h"

namespace parcast {

class JsonReader {
public:
    using Value = simdjson::ondemand::value;

    JsonReader(std::string text, std::string_view file);
    JsonReader(JsonReader const&) = delete;
    JsonReader& operator=(JsonReader const&) = delete;

    // visit(key, value) -> bool, for each field of the object that the text is. Starts anew with every call.
    template <class Visit>
    bool each_field_of_root(Visit visit) {
        simdjson::ondemand::object root;
        return start() && checked(document_.get_object().get(root), "expected an object: { ... }", place()) &&
               each_field(root, visit) && ends();
    }

    template <class Visit>
    bool each_field(Value value, Visit visit) {
        auto const at = place();
        simdjson::ondemand::object object;
        return checked(value.get_object().get(object), "expected an object: { ... }", at) &&
               each_field(object, visit);
    }

    // visit(value) -> bool
    template <class Visit>
    bool each_element(Value value, Visit visit) {
        auto const at = place();
        simdjson::ondemand::array array;
        if (!checked(value.get_array().get(array), "expected a list: [ ... ]", at))
            return false;
        for (auto element : array) {
            Value item;
            if (!checked(element.get(item), "", place()) || !visit(item))
                return false;
        }
        return true;
    }

    bool number(Value value, double& into) {
        auto const at = place();
        return checked(value.get_double().get(into), "expected a number", at);
    }
    bool index(Value value, std::uint64_t& into) {
        auto const at = place();
        return checked(value.get_uint64().get(into), "expected a whole number from 0", at);
    }
    bool truth(Value value, bool& into) {
        auto const at = place();
        return checked(value.get_bool().get(into), "expected true or false", at);
    }
    // The text lives as long as this reader.
    bool string(Value value, std::string_view& into) {
        auto const at = place();
        return checked(value.get_string().get(into), "expected a text: \"...\"", at);
    }

    // What comes next, without reading it.
    static bool is_number(Value value) { return is(value, simdjson::ondemand::json_type::number); }
    static bool is_string(Value value) { return is(value, simdjson::ondemand::json_type::string); }
    static bool is_list(Value value) { return is(value, simdjson::ondemand::json_type::array); }

    // Offset of what is read next, which is the value that a visitor just got.
    std::size_t place();

    // Which line of the text that is, from 1. Cost: linear in how far it is from the last that was asked for.
    std::uint32_t line_of(std::size_t offset);

    // Keeps the first. Gives false, for `return complain(...)`.
    bool complain(ErrorCode code, std::string message, std::size_t at);

    // Frees the text and what was found in it, which may be gigabytes. Texts that were read are gone.
    void forget();

    // REQUIRES: something was complained about.
    Error error() const { return *error_; }

private:
    template <class Visit>
    bool each_field(simdjson::ondemand::object object, Visit visit) {
        for (auto field : object) {
            std::string_view key;
            Value value;
            if (!checked(field.unescaped_key().get(key), "", place()) ||
                !checked(field.value().get(value), "", place()) || !visit(key, value))
                return false;
        }
        return true;
    }

    bool checked(simdjson::error_code error, char const* expected, std::size_t at) {
        return error == simdjson::SUCCESS || complain_of(error, expected, at);
    }

    static bool is(Value value, simdjson::ondemand::json_type type) {
        simdjson::ondemand::json_type found{};
        return value.type().get(found) == simdjson::SUCCESS && found == type;
    }

    bool start();
    bool ends();
    bool complain_of(simdjson::error_code error, char const* expected, std::size_t at);
    std::size_t place_of(simdjson::error_code error);

    std::string text_;  // with simdjson's padding behind it
    std::string file_;
    simdjson::ondemand::parser parser_;
    simdjson::ondemand::document document_;
    bool is_started_ = false;
    std::size_t counted_to_ = 0;  // lines end before it: line_ - 1
    std::uint32_t line_ = 1;
    std::optional<Error> error_;
};

}  // namespace parcast
