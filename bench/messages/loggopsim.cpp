#include "messages/loggopsim.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "messages/cpu_of_children.h"

namespace parcast::bench {

bool has_loggopsim() {
    return std::getenv("LOGGOPSIM") != nullptr;
}

std::optional<LogGopsimRun> run_loggopsim(std::string const& file) {
    double const before = cpu_s_of_children();
    auto const command = std::string(std::getenv("LOGGOPSIM")) + " -f '" + file + "' 2>/dev/null";
    std::FILE* const output = popen(command.c_str(), "r");
    if (!output)
        return std::nullopt;
    std::optional<std::int64_t> completion;
    char line[512];
    while (std::fgets(line, sizeof line, output)) {
        long long host = 0;
        long long end = 0;
        if (std::sscanf(line, "Host %lld: %lld", &host, &end) == 2 ||
            std::sscanf(line, "Maximum finishing time at host %lld: %lld", &host, &end) == 2)
            completion = std::max<std::int64_t>(completion.value_or(0), end);
    }
    if (pclose(output) != 0 || !completion)
        return std::nullopt;
    return LogGopsimRun{*completion, cpu_s_of_children() - before};
}

}  // namespace parcast::bench
