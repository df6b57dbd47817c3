// In the place of the shipped answer (no request fails): PARCAST_FAULT is "system 17" (the 17th request for
// memory, a file or a clock fails), "system 17 on" (and all after it), or "function 17" (the look-up of the
// 17th function). The file that PARCAST_FAULT_MET names is made once a request has failed so. Each process
// counts for itself, beginning where its parent was.

#include "recorder/faults.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#include "recorder/system.h"

namespace parcast::recorder {
namespace {

struct Plan {
    bool is_for_functions;
    bool goes_on;
    unsigned long number;  // 0: none
    char const* met;
    unsigned long count;
    bool is_met;
};
constinit Plan plan = {};

char const* value_of(char** environment, char const* name) {
    size_t const length = strlen(name);
    for (; *environment; ++environment)
        if (strncmp(*environment, name, length) == 0 && (*environment)[length] == '=')
            return *environment + length + 1;
    return nullptr;
}

// Before the recorder's own constructor.
[[gnu::constructor(101)]] void read_plan(int, char**, char** environment) {
    char const* const text = value_of(environment, "PARCAST_FAULT");
    char const* const number = text ? strchr(text, ' ') : nullptr;
    if (!number)
        return;
    char* end = nullptr;
    plan.number = strtoul(number, &end, 10);
    plan.goes_on = strcmp(end, " on") == 0;
    plan.is_for_functions = *text == 'f';
    plan.met = value_of(environment, "PARCAST_FAULT_MET");
}

void note_that_it_is_met() {
    if (__atomic_exchange_n(&plan.is_met, true, __ATOMIC_RELAXED) || !plan.met)
        return;
    long const file =
        system_call(SYS_openat, AT_FDCWD, as_word(plan.met), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
    system_call(SYS_close, file);
}

}  // namespace

bool request_fails(Request request) {
    if (plan.number == 0 || (request == Request::function) != plan.is_for_functions)
        return false;
    unsigned long const count = __atomic_add_fetch(&plan.count, 1, __ATOMIC_RELAXED);
    bool const fails = count == plan.number || (plan.goes_on && count > plan.number);
    if (fails)
        note_that_it_is_met();
    return fails;
}

}  // namespace parcast::recorder
