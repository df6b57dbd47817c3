#include "cli/options/configuration.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <ranges>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/files/files.h"
#include "cli/verbs.h"
#include "core/suggestion.h"
#include "machine/toml_reader.h"

namespace parcast::cli {

namespace {

constexpr char const* file_here = ".parcast.toml";

// By verb, in the order of the table.
using OptionsOfVerbs = std::vector<std::pair<std::string_view, std::set<std::string>>>;

// What can be configured, or the rest: what is only typed.
OptionsOfVerbs options_of_verbs(bool only_typed = false) {
    OptionsOfVerbs all;
    for (auto const* const verb : verbs) {
        OptionTable table;
        (void)verb->prepare(table);
        auto& names = all.emplace_back(verb->name, std::set<std::string>()).second;
        for (auto const& option : table.options())
            if (option.only_typed == only_typed)
                names.insert(option.name().substr(2));
    }
    return all;
}

std::set<std::string> options_of_all(OptionsOfVerbs const& verbs_and_options) {
    std::set<std::string> all;
    for (auto const& [verb, names] : verbs_and_options)
        all.insert(names.begin(), names.end());
    return all;
}

class Reader {
public:
    explicit Reader(std::string file)
        : file_(std::move(file)),
          options_(options_of_verbs()),
          only_typed_(options_of_all(options_of_verbs(true))) {}

    Result<Configuration> read(toml::table const& document) {
        Configuration of_verbs;
        Configuration of_all;
        for (auto const& [key, node] : document) {
            auto const* const table = node.as_table();
            auto const read = table != nullptr
                                  ? read_verb(key.str(), *table, of_verbs)
                                  : read_option({}, options_of_all(options_), key.str(), node, of_all);
            if (!read)
                return pass_on(read);
        }
        std::ranges::move(of_all, std::back_inserter(of_verbs));
        return of_verbs;
    }

private:
    tl::unexpected<Error> refuse(toml::node const& node, std::string message, std::string advice) const {
        auto const& at = node.source().begin;
        return fail(Error{ErrorCode::unasked, std::move(message),
                          SourcePosition{file_, at.line, at.column, {}}, std::move(advice)});
    }

    template <class Names>
    static std::string advice_for(std::string_view word, Names const& names) {
        std::vector<std::string_view> const all(names.begin(), names.end());
        auto const meant = nearest(word, all);
        return meant ? "Did you mean: " + std::string(*meant)
                     : "docs/configuration.md lists what can be set.";
    }

    Result<void> read_verb(std::string_view name, toml::table const& table, Configuration& into) const {
        auto const verb = std::ranges::find(options_, name, &OptionsOfVerbs::value_type::first);
        if (verb == options_.end())
            return refuse(table, fmt::format("there is no verb \"{}\"", name),
                          advice_for(name, options_ | std::views::keys));
        for (auto const& [key, node] : table)
            if (auto const read = read_option(name, verb->second, key.str(), node, into); !read)
                return pass_on(read);
        return {};
    }

    Result<void> read_option(std::string_view verb, std::set<std::string> const& names, std::string_view key,
                             toml::node const& node, Configuration& into) const {
        if (!names.contains(std::string(key))) {
            bool const is_never = only_typed_.contains(std::string(key));
            auto const who =
                verb.empty() ? std::string("no verb has an option") : std::string(verb) + " has no option";
            return refuse(node,
                          is_never ? fmt::format("--{} is for the command line alone", key)
                                   : fmt::format("{} --{}", who, key),
                          is_never ? "Remove it from this file." : advice_for(key, names));
        }
        ConfiguredOption option{
            std::string(verb), std::string(key), {}, fmt::format("{}:{}", file_, node.source().begin.line)};
        if (auto const* const array = node.as_array()) {
            for (auto const& element : *array)
                if (!add(element, option.values))
                    return refuse(element, fmt::format("{} is a list of texts or numbers", key), "");
        } else if (!add(node, option.values)) {
            return refuse(node, fmt::format("{} is a text, a number, true or false, or a list", key), "");
        }
        into.push_back(std::move(option));
        return {};
    }

    static bool add(toml::node const& node, std::vector<std::string>& values) {
        if (auto const text = node.value_exact<std::string>())
            values.push_back(*text);
        else if (auto const whole = node.value_exact<std::int64_t>())
            values.push_back(std::to_string(*whole));
        else if (auto const number = node.value_exact<double>())
            values.push_back(fmt::format("{}", *number));
        else if (auto const flag = node.value_exact<bool>())
            values.emplace_back(*flag ? "true" : "false");
        else
            return false;
        return true;
    }

    std::string file_;
    OptionsOfVerbs options_;
    std::set<std::string> only_typed_;
};

// The recorder reads these, and sets them for the programs that it is in (docs/record.md).
constexpr std::array<std::string_view, 6> of_the_recorder{
    "PARCAST_RECORD_CLOCK", "PARCAST_RECORD_LIMIT_BYTES", "PARCAST_RECORD_DIR",
    "PARCAST_RECORD_CPU",   "PARCAST_PRETEND_CPUS",       "PARCAST_CALL_DEPTH"};

std::string variable_for(std::string_view verb, std::string_view option) {
    auto name = fmt::format("PARCAST_{}{}{}", verb, verb.empty() ? "" : "_", option);
    std::ranges::transform(name, name.begin(), [](unsigned char sign) {
        return sign == '-' ? '_' : static_cast<char>(std::toupper(sign));
    });
    return name;
}

std::optional<std::string> variable_of_process(std::string const& name) {
    char const* const value = std::getenv(name.c_str());
    return value != nullptr && *value != '\0' ? std::optional<std::string>(value) : std::nullopt;
}

std::optional<std::string> file_of_user() {
    auto const folder = variable_of_process("XDG_CONFIG_HOME");
    if (folder && folder->starts_with('/'))
        return *folder + "/parcast/config.toml";
    auto const home = variable_of_process("HOME");
    return home ? std::optional(*home + "/.config/parcast/config.toml") : std::nullopt;
}

}  // namespace

Result<Configuration> parse_configuration(std::string_view text, std::string const& file) {
    auto const document = toml_document(text, file);
    if (!document)
        return pass_on(document);
    return Reader(file).read(*document);
}

Configuration configuration_of_environment(
    std::optional<std::string> (*read_variable)(std::string const& name)) {
    Configuration found;
    auto const add = [&](std::string_view verb, std::string const& option) {
        auto const name = variable_for(verb, option);
        if (std::ranges::find(of_the_recorder, name) != of_the_recorder.end())
            return;
        if (auto value = read_variable(name))
            found.push_back({std::string(verb), option, {std::move(*value)}, name});
    };
    auto const all = options_of_verbs();
    for (auto const& [verb, options] : all)
        for (auto const& option : options)
            add(verb, option);
    for (auto const& option : options_of_all(all))
        add({}, option);
    return found;
}

Result<Configuration> read_configuration() {
    auto all = configuration_of_environment(variable_of_process);
    for (auto const& file : {std::optional<std::string>(file_here), file_of_user()}) {
        std::error_code ignored;
        if (!file || !std::filesystem::is_regular_file(*file, ignored))
            continue;
        auto const text = read_text(*file);
        if (!text)
            return pass_on(text);
        auto of_file = parse_configuration(*text, *file);
        if (!of_file)
            return fail(
                with_advice(of_file.error(), of_file.error().advice.empty()
                                                 ? "Without it: --no-config"
                                                 : of_file.error().advice + " (without it: --no-config)"));
        std::ranges::move(*of_file, std::back_inserter(all));
    }
    return all;
}

ConfiguredOption const* configured(Configuration const& all, std::string_view verb, Option const& option) {
    auto const name = option.name().substr(2);
    auto const found = std::ranges::find_if(all, [&](ConfiguredOption const& each) {
        return each.option == name && (each.verb.empty() || each.verb == verb);
    });
    return found == all.end() || option.only_typed ? nullptr : &*found;
}

std::vector<std::string> values_for(ConfiguredOption const& configured, Option const& option) {
    constexpr std::array<std::string_view, 5> off{"false", "0", "no", "off", ""};
    if (option.is_flag()) {
        bool const is_off =
            configured.values.empty() || std::ranges::find(off, configured.values.front()) != off.end();
        return is_off ? std::vector<std::string>() : std::vector<std::string>{"true"};
    }
    if (option.repeats || configured.values.size() < 2)
        return configured.values;
    return {fmt::format("{}", fmt::join(configured.values, ","))};
}

std::vector<ConfiguredValue> listed_values(Configuration const& all) {
    std::vector<ConfiguredValue> values;
    for (auto const& each : all) {
        bool const is_overridden = std::ranges::any_of(values, [&](ConfiguredValue const& stronger) {
            return stronger.option == each.option && (stronger.verb.empty() || stronger.verb == each.verb);
        });
        values.push_back({each.verb, each.option, fmt::format("{}", fmt::join(each.values, ",")), each.source,
                          is_overridden});
    }
    return values;
}

}  // namespace parcast::cli
