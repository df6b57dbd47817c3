// Prints web/src/generated.ts: what the page knows of the tables of C++, so that it has them from there.

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "answer/limit.h"
#include "machine/machine.h"
#include "machine/schedulers.h"
#include "program/thread_program.h"
#include "report/sentences/sentences.h"
#include "simulate/simulate.h"
#include "timeline/interval.h"
#include "timeline/message.h"
#include "timeline/run_of_messages.h"
#include "view/columns.h"
#include "view/sections.h"
#include "view/totals.h"

namespace {

using namespace parcast;

// "read-write unlock": readWriteUnlock
std::string key_of(std::string_view name) {
    std::string key;
    bool is_first = false;
    for (char const letter : name) {
        bool const is_letter = letter >= 'a' && letter <= 'z';
        if (is_letter)
            key += is_first && !key.empty() ? static_cast<char>(letter - 'a' + 'A') : letter;
        is_first = !is_letter;
    }
    return key;
}

void print_list(char const* name, std::vector<std::string> const& texts) {
    std::printf("export const %s = [\n", name);
    for (auto const& text : texts)
        std::printf("    \"%s\",\n", text.c_str());
    std::printf("] as const;\n");
}

void print_enum(char const* name, std::vector<std::string> const& names) {
    std::printf("export const %s = {\n", name);
    for (std::size_t i = 0; i < names.size(); ++i)
        std::printf("    %s: %zu,\n", key_of(names[i]).c_str(), i);
    std::printf("} as const;\n");
}

}  // namespace

int main() {
    std::vector<std::string> states, cause_names, words, scheduler_names, operations, about_threads, totals,
        delay_names, delay_texts, wait_reasons;
    for (std::size_t i = 0; i < thread_state_count; ++i)
        states.emplace_back(name_of(static_cast<ThreadState>(i)));
    for (auto const& cause : causes) {
        cause_names.emplace_back(cause.name);
        words.emplace_back(cause.beside);
    }
    for (auto const& row : message_delays) {
        delay_names.emplace_back(row.name);
        delay_texts.emplace_back(row.text);
    }
    for (auto const& row : message_waits)
        wait_reasons.emplace_back(row.reason);
    std::vector<std::string> on_lwps;
    for (auto const& scheduler : schedulers) {
        scheduler_names.emplace_back(scheduler.word);
        if (std::holds_alternative<TwoLevelScheduler>(scheduler.scheduler))
            on_lwps.emplace_back(scheduler.word);
    }
    for (std::size_t i = 0; i < operation_kind_count; ++i)
        operations.emplace_back(name_of(static_cast<OperationKind>(i)));
    for (auto const& total : view::totals({}, {}, {}))
        totals.push_back(key_of(total.name));

    std::printf(
        "// Made of the tables of C++ by web/module/constants.cpp: `./dev page` writes it, tests compare "
        "it.\n\n");
    std::printf("export const containerVersion = %u; // src/view/sections.h\n", view::sections_version);
    std::printf("\n// src/timeline/interval.h\n");
    print_enum("State", states);
    std::printf("export const stateCount = %zu;\n", states.size());
    std::printf("\n// src/answer/limit.h\n");
    print_enum("Cause", cause_names);
    print_list("causeWords", words);
    std::printf("\n// src/timeline/message.h\n");
    print_list("delayNames", delay_names);
    print_list("delayTexts", delay_texts);
    std::printf("\n// src/timeline/run_of_messages.h\n");
    print_list("waitReasons", wait_reasons);
    std::printf("\n// src/program/operation_kind.h\n");
    print_enum("Operation", operations);
    print_list("operationNames", operations);
    std::printf(
        "// Operations whose object is a thread.\nexport const operationsOnThreads: readonly number[] = [");
    for (std::size_t i = 0, printed = 0; i < operation_kind_count; ++i)
        if (names_thread(static_cast<OperationKind>(i)))
            std::printf("%s%zu", printed++ > 0 ? ", " : "", i);
    std::printf("];\n\n// src/machine/schedulers.h\n");
    print_list("schedulers", scheduler_names);
    print_list("schedulersOnLwps", on_lwps);
    std::printf("\n// src/semantics/operations.h\n");
    print_list("models", {semantics::models.begin(), semantics::models.end()});
    std::printf("\n// src/view/totals.h\n");
    print_list("totalNames", totals);
    return std::ferror(stdout) == 0 ? 0 : 1;
}
