#include "machine/network_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "core/leading_number.h"
#include "core/time_unit.h"

namespace parcast {

namespace {

constexpr std::array<NetworkPreset, 5> presets{{
    {"meiko-cs2",
     NetworkKind::loggp,
     {9000, 2000, 0, 14000, 30, never_rendezvous},
     "Rugina and Schauser 1998, section 4.1: close to a Meiko CS-2 under Split-C"},
    {"loggopsim",
     NetworkKind::loggops,
     {2500, 1500, 0, 1000, 6, 65535},
     "the default values of LogGOPSim (Hoefler, Schneider and Lumsdaine 2010)"},
    {"infiniband-qdr",
     NetworkKind::loggops,
     {1250, 380, 0, 0, 0.25, 65535},
     "L and o: InfiniBand verbs as measured by Poke, Hoefler and Glass 2017 (AllConcur); G: the link's 32 "
     "Gbit/s"},
    {"ipoib-qdr",
     NetworkKind::loggops,
     {12000, 1800, 0, 0, 0.25, 65535},
     "L and o: TCP over InfiniBand as measured by Poke, Hoefler and Glass 2017 (AllConcur); G: the link's 32 "
     "Gbit/s"},
    {"ethernet-200g",
     NetworkKind::loggops,
     {3700, 200, 0, 5, 0.04, 65535},
     "values that ATLAHS simulates clusters of 200 Gbit/s Ethernet with (Shen and others 2025)"},
}};

struct TimeWord {
    std::string_view shown;
    double ns;
};
constexpr std::array<TimeWord, 4> time_words{{{"ns", 1}, {"µs", 1e3}, {"ms", 1e6}, {"s", 1e9}}};

std::optional<double> time_in(std::string_view text) {
    auto const number = leading_number<double>(text);
    if (!number.is_number)
        return std::nullopt;
    if (auto const unit = unit_ns(number.rest))
        return in_ns(number.value, *unit);
    return number.value == 0 && number.rest.empty() ? std::optional(0.0) : std::nullopt;
}

std::string time_word_text(double ns) {
    auto const* unit = &time_words.front();
    for (auto const& each : time_words)
        if (ns >= each.ns)
            unit = &each;
    std::array<char, 32> text{};
    auto const [end, problem] =
        std::to_chars(text.data(), text.data() + text.size(), ns / unit->ns, std::chars_format::general, 6);
    return std::string(text.data(), end) + " " + std::string(unit->shown);
}

bool is_per_byte(NetworkField const& field) {
    return field.key.find("per_byte") != std::string_view::npos;
}

// "L=9us", "node.L=300ns".
Result<void> read_value(std::string_view item, Network& network) {
    auto const equals = item.find('=');
    auto letter = item.substr(0, equals);
    auto const text = equals == std::string_view::npos ? std::string_view() : item.substr(equals + 1);
    bool const is_inside = letter.starts_with("node.");
    if (is_inside) {
        letter.remove_prefix(std::string_view("node.").size());
        if (!network.node)
            network.node = network.values;
    }
    auto& values = is_inside ? *network.node : network.values;
    if (letter == "S") {
        auto const bytes = number_in<std::uint64_t>(text);
        if (!bytes)
            return fail(make_error(ErrorCode::unasked,
                                   "\"" + std::string(item) + "\": S is a number of bytes, such as S=65536"));
        values.rendezvous_bytes = *bytes;
        return {};
    }
    auto const field = std::ranges::find(network_fields, letter, &NetworkField::letter);
    if (field == network_fields.end())
        return fail(
            make_error(ErrorCode::unasked,
                       "\"" + std::string(item) +
                           "\": the values of a network are L, o, O, g, G and S, inside a node node.L "
                           "and so on"));
    auto const ns = time_in(text);
    if (!ns || *ns < 0 || *ns > most_network_ns)
        return fail(make_error(ErrorCode::unasked,
                               "\"" + std::string(item) + "\": " + std::string(letter) +
                                   (is_per_byte(*field) ? " is a time for each byte" : " is a time") +
                                   " in ns, us, ms or s, such as " + std::string(letter) + "=9us"));
    values.*field->value = *ns;
    return {};
}

}  // namespace

std::span<NetworkPreset const> network_presets() {
    return presets;
}

Result<std::optional<Network>> parse_network(std::string_view text) {
    auto const colon = std::min(text.find(':'), text.size());
    auto const name = text.substr(0, colon);
    Network network;
    if (auto const preset = std::ranges::find(presets, name, &NetworkPreset::name); preset != presets.end()) {
        network.kind = preset->kind;
        network.values = preset->values;
        network.source = preset->source;
        if (colon == text.size())
            network.name = preset->name;
    } else if (auto const kind = std::ranges::find(network_kinds, name);
               kind != network_kinds.end() && colon < text.size()) {
        network.kind = static_cast<NetworkKind>(kind - network_kinds.begin());
    } else {
        return std::optional<Network>();
    }
    for (auto rest = text.substr(std::min(colon + 1, text.size())); !rest.empty();) {
        auto const comma = std::min(rest.find(','), rest.size());
        if (auto const read = read_value(rest.substr(0, comma), network); !read)
            return pass_on(read);
        rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
    return std::optional(network);
}

std::string network_value_text(NetworkField const& field, double ns) {
    return time_word_text(ns) + (is_per_byte(field) ? "/byte" : "");
}

std::string values_text(NetworkKind kind, NetworkValues const& values) {
    std::string text;
    for (auto const& field : network_fields) {
        if (field.letter == "O" && values.overhead_per_byte_ns == 0)
            continue;
        text += (text.empty() ? "" : ", ") + std::string(field.letter) + " " +
                network_value_text(field, values.*field.value);
    }
    if (kind == NetworkKind::loggops && values.rendezvous_bytes < never_rendezvous)
        text += ", S " + std::to_string(values.rendezvous_bytes) + " bytes";
    return text;
}

}  // namespace parcast
