// Verbs of other tools (perf, hyperfine, heaptrack, samply, Perfetto, gprofng, Scalasca, git) and words that
// people try, with the verb of parcast that does what they want.

#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace parcast::cli {

struct WordElsewhere {
    std::string_view word;
    std::string_view verb;
};

inline constexpr std::array words_elsewhere = std::to_array<WordElsewhere>({
    // clang-format off: a row a line
    {"analyse", "predict"},
    {"analyze", "predict"},
    {"annotate", "advise"},
    {"assert", "check"},
    {"attach", "record"},
    {"bench", "scale"},
    {"benchmark", "scale"},
    {"bottleneck", "advise"},
    {"bottlenecks", "advise"},
    {"browse", "view"},
    {"capture", "record"},
    {"ci", "check"},
    {"collect", "record"},
    {"config", "doctor"},
    {"convert", "export"},
    {"diff", "compare"},
    {"display", "info"},
    {"dump", "export"},
    {"env", "doctor"},
    {"environment", "doctor"},
    {"evlist", "info"},
    {"examine", "view"},
    {"flamegraph", "view"},
    {"forecast", "predict"},
    {"gui", "view"},
    {"hotspots", "advise"},
    {"html", "report"},
    {"import", "predict"},
    {"install", "doctor"},
    {"instrument", "record"},
    {"limits", "predict"},
    {"list", "info"},
    {"load", "view"},
    {"lock", "info"},
    {"locks", "info"},
    {"man", "help"},
    {"manual", "help"},
    {"measure", "scale"},
    {"mem", "record"},
    {"monitor", "record"},
    {"open", "view"},
    {"optimise", "tune"},
    {"optimize", "tune"},
    {"pin", "bind"},
    {"plot", "view"},
    {"print", "info"},
    {"profile", "record"},
    {"query", "export"},
    {"replay", "predict"},
    {"save", "export"},
    {"scan", "info"},
    {"sched", "predict"},
    {"schedule", "predict"},
    {"script", "export"},
    {"serve", "view"},
    {"setup", "doctor"},
    {"show", "info"},
    {"sim", "predict"},
    {"simulate", "predict"},
    {"start", "record"},
    {"stat", "predict"},
    {"stats", "info"},
    {"status", "info"},
    {"summary", "info"},
    {"sweep", "tune"},
    {"taskset", "bind"},
    {"test", "check"},
    {"threads", "info"},
    {"timeline", "view"},
    {"top", "advise"},
    {"trace", "record"},
    {"ui", "view"},
    {"usage", "help"},
    {"validate", "check"},
    {"verify", "check"},
    {"visualise", "view"},
    {"visualize", "view"},
    {"watch", "record"},
    {"web", "view"},
    {"what-if", "advise"},
    {"whatif", "advise"},
    // clang-format on
});

}  // namespace parcast::cli
