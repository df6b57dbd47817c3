#include "cli/memory_option.h"

#include "cli/files.h"
#include "machine/memory_toml.h"
#include "model/queueing/station_law.h"

namespace parcast::cli {

namespace {

std::string preset_names() {
    std::string names;
    for (auto const name : memory_preset_names()) {
        names += (names.empty() ? "" : ", ") + std::string(name);
    }
    return names;
}

}  // namespace

Result<SharedResources> read_shared_resources(std::string const& name) {
    if (auto const preset = memory_preset(name)) {
        return shared_resources_from_toml(*preset, name);
    }
    auto text = read_text(name);
    if (!text && text.error().code == ErrorCode::not_found) {
        return fail(ErrorCode::not_found,
                    "there is no file " + name + ", and no preset of that name: there are " + preset_names());
    }
    if (!text) {
        return pass_on(text);
    }
    return shared_resources_from_toml(*text, name);
}

Result<model::ContentionLaw> contention_law(std::string const& name, TaskGraph const& graph) {
    if (name == "sequent") {
        return model::sequent_law(graph);
    }
    if (name == "lock") {
        return model::lock_law(graph);
    }
    auto resources = read_shared_resources(name);
    if (!resources) {
        return pass_on(resources);
    }
    return model::station_law(graph, *resources);
}

}  // namespace parcast::cli
