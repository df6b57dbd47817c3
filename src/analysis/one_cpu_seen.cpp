#include "analysis/one_cpu_seen.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "core/openmp_objects.h"
#include "core/path.h"

namespace parcast::analysis {

namespace {

constexpr std::int64_t fewest_operations = 100;  // to load it takes a few
constexpr double notable_share = 0.01;           // of the CPU time

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

bool is_set(Provenance const& from, char const* name) {
    auto const settings = from.settings.value_or(std::vector<Setting>());
    return std::ranges::find(settings, name, &Setting::name) != settings.end();
}

// libgomp made one thread of each team that could have had more.
bool has_lone_teams(Timeline const& recorded) {
    return OpenmpObjects(recorded.catalogue).are_of_lone_teams() &&
           !is_set(recorded.provenance, "OMP_NUM_THREADS");
}

// With threads of its own that work a program may have it for something else.
bool has_lone_tbb(Timeline const& recorded, Survey const& survey) {
    Duration most;
    for (ThreadProfile const& thread : survey.profile.threads)
        most = std::max(most, thread.cpu);
    return to_real(survey.cpu() - most).ns <= notable_share * to_real(survey.cpu()).ns &&
           std::ranges::any_of(recorded.provenance.modules, [](Module const& each) {
               return file_name(each.path).starts_with("libtbb.so");
           });
}

// Where one thread did what several share on more CPUs, there is nothing to conclude.
Finding warning(std::string text, bool had_one_thread) {
    return {FindingKind::one_cpu_seen, Severity::warning, std::move(text),
            ThreadId::none(),          SiteId::none(),    had_one_thread};
}

}  // namespace

std::optional<Finding> one_cpu_seen(Timeline const& recorded, Survey const& survey) {
    Provenance const& from = recorded.provenance;
    if (from.pretended_cpus.value_or(1) > 1)
        return std::nullopt;
    if (has_lone_teams(recorded))
        return warning(
            "Teams of OpenMP have a thread for each CPU that the program sees, and it saw one: they had one "
            "thread. On more CPUs they share its work. Record with --pretend-cpus 2 or more, or set "
            "OMP_NUM_THREADS.",
            true);
    if (has_lone_tbb(recorded, survey))
        return warning(
            "The program has loaded oneTBB, which makes a thread for each CPU that the program sees, and it "
            "saw one. If it uses it, more CPUs bring threads that share its work. Record with --pretend-cpus "
            "2 or more.",
            true);
    if (!may_make_threads(from))
        return std::nullopt;
    std::int64_t operations = 0;
    for (ObjectProfile const& object : survey.profile.objects)
        if (is_of_openblas(recorded.catalogue, object.object))
            operations += object.operations;
    if (operations < fewest_operations)
        return std::nullopt;
    return warning(
        "The program calls OpenBLAS, which makes a thread for each CPU that it sees, and it saw one. "
        "On more CPUs the program has threads that this recording does not have: they share its "
        "work, or get in the way of its own threads. Record with --pretend-cpus 2; or set "
        "OPENBLAS_NUM_THREADS=1, then and wherever the program runs.",
        false);
}

}  // namespace parcast::analysis
