#include "analysis/one_cpu_seen.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include "core/path.h"

namespace parcast::analysis {

namespace {

constexpr std::int64_t fewest_operations = 100;  // to load it takes a few

bool is_of_openblas(Catalogue const& catalogue, ObjectId object) {
    SiteId const site = catalogue.objects[object.index()].first_site;
    return !site.is_none() &&
           file_name(catalogue.sites[site.index()].module).find("openblas") != std::string::npos;
}

// The library's own variable counts before that of OpenMP.
bool may_make_threads(Provenance const& provenance) {
    auto const settings = provenance.settings.value_or(std::vector<Setting>());
    for (char const* const name : {"OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"})
        if (auto const found = std::ranges::find(settings, name, &Setting::name); found != settings.end())
            return found->value != "1";
    return true;
}

}  // namespace

std::optional<Finding> one_cpu_seen(Timeline const& recorded, Survey const& survey) {
    Provenance const& from = recorded.provenance;
    if (from.pretended_cpus.value_or(1) > 1 || !may_make_threads(from))
        return std::nullopt;
    std::int64_t operations = 0;
    for (ObjectProfile const& object : survey.profile.objects)
        if (is_of_openblas(recorded.catalogue, object.object))
            operations += object.operations;
    if (operations < fewest_operations)
        return std::nullopt;
    return Finding{
        FindingKind::one_cpu_seen, Severity::warning,
        "The program calls OpenBLAS, which makes a thread for each CPU that it sees, and it saw one. "
        "On more CPUs the program has threads that this recording does not have: they share its "
        "work, or get in the way of its own threads. Record with --pretend-cpus 2; or set "
        "OPENBLAS_NUM_THREADS=1, then and wherever the program runs.",
        ThreadId::none(), SiteId::none()};
}

}  // namespace parcast::analysis
