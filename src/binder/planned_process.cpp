#include "binder/planned_process.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/star_pattern.h"
#include "recorder/real.h"
#include "recorder/system.h"

namespace parcast::binder {

namespace {

using recorder::as_word;
using recorder::Real;
using recorder::system_call;
using wire::PlanKey;
using wire::PlanRefusal;
using wire::PlanTable;
using wire::PlanTableEntry;

// By name alone (recorder/real.h): their versions are of glibc 2.34, and older ones have them too.
PARCAST_REAL Real<decltype(pthread_key_create)> real_key_create{"pthread_key_create"};
PARCAST_REAL Real<decltype(pthread_setspecific)> real_setspecific{"pthread_setspecific"};
PARCAST_REAL Real<decltype(pthread_getcpuclockid)> real_getcpuclockid{"pthread_getcpuclockid"};

// All that the binder keeps of the process.
struct Process {
    PlanTable* table;  // null: nothing is planned
    uint32_t id;
    uintptr_t bias;  // of the program in memory
    bool has_names;
    pthread_key_t end_key;
    char* variable;  // of the environment, where the name of the table begins
};
constinit Process process = {};

// Other keys' destructors are part of the thread, and may create threads.
constexpr uint32_t end_rounds = PTHREAD_DESTRUCTOR_ITERATIONS;

uint32_t own_kernel_id() {
    return static_cast<uint32_t>(system_call(SYS_gettid));
}

void count(PlanRefusal& refusal, long result) {
    if (__atomic_fetch_add(&refusal.count, 1, __ATOMIC_RELAXED) == 0)
        refusal.reason = static_cast<int32_t>(-result);
}

// --- what the kernel is asked for

bool read_cpus(uint32_t thread, Mask& mask) {
    memset(&mask, 0, sizeof mask);
    return system_call(SYS_sched_getaffinity, thread, mask_bytes, as_word(&mask)) > 0;
}

long set_cpus(uint32_t thread, Mask const& mask) {
    return system_call(SYS_sched_setaffinity, thread, mask_bytes, as_word(&mask));
}

Mask one_cpu(uint32_t cpu) {
    Mask mask = {};
    mask.words[cpu / 64] = uint64_t{1} << cpu % 64;
    return mask;
}

bool are_equal(Mask const& a, Mask const& b) {
    return memcmp(&a, &b, sizeof a) == 0;
}

int32_t read_nice(uint32_t thread) {
    constexpr int32_t raised = 20;  // so the system call returns nothing negative
    return raised - static_cast<int32_t>(system_call(SYS_getpriority, PRIO_PROCESS, thread));
}

long set_nice(uint32_t thread, int32_t nice) {
    return system_call(SYS_setpriority, PRIO_PROCESS, thread, nice);
}

// --- one thread. REQUIRES: its lock.

void learn_own_cpus(ThreadState& state) {
    if (!state.knows_own)
        state.knows_own = read_cpus(state.kernel_id, state.own);
}

void bind_thread(ThreadState& state, uint32_t cpu) {
    learn_own_cpus(state);
    if (!state.knows_own)
        return;
    if (long const result = set_cpus(state.kernel_id, one_cpu(cpu)); result < 0) {
        count(process.table->cpu, result);
        return;
    }
    state.has_cpu = state.is_displaced = true;
    state.cpu = cpu;
}

// Threads and processes that it creates do not inherit the level.
void rank_real_time(ThreadState& state, int32_t level) {
    sched_param const parameters{level};
    if (long const result = system_call(SYS_sched_setscheduler, state.kernel_id,
                                        SCHED_FIFO | SCHED_RESET_ON_FORK, as_word(&parameters));
        result < 0)
        count(process.table->real_time, result);
    state.has_priority = true;
}

void rank_nice(ThreadState& state, int32_t nice) {
    sched_param const none{0};
    auto const policy = system_call(SYS_sched_getscheduler, state.kernel_id) & ~SCHED_RESET_ON_FORK;
    if (policy == SCHED_FIFO || policy == SCHED_RR)
        system_call(SYS_sched_setscheduler, state.kernel_id, SCHED_OTHER, as_word(&none));
    if (!state.has_nice)
        state.own_nice = read_nice(state.kernel_id);
    if (long const result = set_nice(state.kernel_id, nice); result < 0)
        count(process.table->nice, result);
    else
        state.has_nice = true;
    state.has_priority = true;
}

void apply(PlanTableEntry& entry, ThreadState& state) {
    auto const turn = __atomic_fetch_add(&entry.named, 1, __ATOMIC_RELAXED);
    auto const cpus = entry.cpus_end - entry.cpus_begin;
    bool const ranks = entry.has_nice || entry.has_real_time;
    if ((cpus > 0 && state.has_cpu) || (ranks && state.has_priority)) {
        __atomic_fetch_add(&entry.planned_before, 1, __ATOMIC_RELAXED);
        return;
    }
    if (cpus > 0)
        bind_thread(state, wire::numbers_of(process.table)[entry.cpus_begin + turn % cpus]);
    if (entry.has_real_time)
        rank_real_time(state, entry.real_time);
    if (entry.has_nice)
        rank_nice(state, entry.nice);
}

bool begins_there(PlanTableEntry const& entry, void const* routine) {
    auto const* const numbers = wire::numbers_of(process.table);
    auto const place = reinterpret_cast<uintptr_t>(routine) - process.bias;
    for (auto i = entry.functions_begin; i + 1 < entry.functions_end; i += 2)
        if (place == (numbers[i] | uint64_t{numbers[i + 1]} << 32))
            return true;
    return false;
}

bool names_thread(PlanTableEntry const& entry, ThreadState const& state) {
    switch (entry.key) {
        case PlanKey::number: return entry.number == state.number;
        case PlanKey::path: return state.path[0] && matches_stars(entry.text, state.path);
        case PlanKey::function:
            return state.number == 0 ? matches_stars(entry.text, "main") : begins_there(entry, state.routine);
        case PlanKey::name: break;
    }
    return false;
}

void plan_new_thread(ThreadState& state) {
    auto* const entries = wire::entries_of(process.table);
    for (uint32_t i = 0; i < process.table->entry_count; ++i)
        if (names_thread(entries[i], state))
            apply(entries[i], state);
    // What it inherited is its creator's plan, not its own.
    if (state.is_displaced && !state.has_cpu) {
        set_cpus(state.kernel_id, state.own);
        state.is_displaced = false;
    }
    if (state.has_nice && !state.has_priority) {
        if (long const result = set_nice(state.kernel_id, state.own_nice); result < 0)
            count(process.table->nice_back, result);
        else
            state.has_nice = false;
    }
}

void plan_name(ThreadState& state, char const* name) {
    if (state.was_named)
        return;
    state.was_named = true;
    auto* const entries = wire::entries_of(process.table);
    for (uint32_t i = 0; i < process.table->entry_count; ++i)
        if (entries[i].key == PlanKey::name && matches_stars(entries[i].text, name))
            apply(entries[i], state);
}

// --- the path of creation

bool add_text(char* path, size_t& length, char const* text) {
    auto const more = strlen(text);
    if (length + more >= wire::plan_text_bytes)
        return false;
    memcpy(path + length, text, more + 1);
    length += more;
    return true;
}

void write_path(ThreadState& state, ThreadState const& creator) {
    char digits[12] = {};
    auto* begin = digits + sizeof digits - 1;
    for (auto rest = creator.created; rest > 0 || !*begin; rest /= 10)
        *--begin = static_cast<char>('0' + rest % 10);
    size_t length = 0;
    if (!creator.path[0] || !add_text(state.path, length, creator.path) ||
        !add_text(state.path, length, ".") || !add_text(state.path, length, begin))
        state.path[0] = 0;
}

// --- the process

void end_of_thread(void* ended) {
    auto* const state = static_cast<ThreadState*>(ended);
    if (++state->end_rounds < end_rounds) {
        real_setspecific(process.end_key, state);
        return;
    }
    current_state = nullptr;
    give_back(state);
}

// As if there had been no plan; the priorities as far as the kernel lets it.
void free_child() {
    if (!process.table)
        return;
    process.table = nullptr;
    if (process.variable && strncmp(process.variable - sizeof wire::plan_variable, wire::plan_variable,
                                    sizeof wire::plan_variable - 1) == 0)
        *process.variable = 0;
    auto const* const state = current_state;
    if (!state)
        return;
    if (state->is_displaced)
        set_cpus(0, state->own);
    if (state->has_nice)
        set_nice(0, state->own_nice);
}

char* find_variable(char** environment) {
    constexpr auto length = sizeof wire::plan_variable - 1;
    for (char** each = environment; each && *each; ++each)
        if (strncmp(*each, wire::plan_variable, length) == 0 && (*each)[length] == '=')
            return *each + length + 1;
    return nullptr;
}

PlanTable* map_table(char const* path) {
    int const file = recorder::open_file(path, O_RDWR);
    if (file < 0)
        return nullptr;
    constexpr int access = PROT_READ | PROT_WRITE;
    auto* table = static_cast<PlanTable*>(recorder::map_file(file, 0, sizeof(PlanTable), access));
    if (table) {
        bool const is_ours = table->magic == wire::plan_magic && table->version == wire::plan_version;
        auto const bytes = table->bytes;
        recorder::unmap(table, sizeof(PlanTable));
        table = is_ours ? static_cast<PlanTable*>(recorder::map_file(file, 0, bytes, access)) : nullptr;
    }
    recorder::close_file(file);
    return table;
}

bool is_cpu_of_plan(PlanTable* table, Mask const& mask) {
    auto* const entries = wire::entries_of(table);
    for (uint32_t i = 0; i < table->entry_count; ++i)
        for (auto at = entries[i].cpus_begin; at < entries[i].cpus_end; ++at)
            if (are_equal(mask, one_cpu(wire::numbers_of(table)[at])))
                return true;
    return false;
}

Mask mask_of_program(PlanTable const* table) {
    Mask mask;
    memcpy(&mask, table->cpus, sizeof mask);
    return mask;
}

// A program that a child of vfork or posix_spawn became: it inherited the CPU of a thread.
void free_stranger(PlanTable* table) {
    Mask mask;
    if (read_cpus(0, mask) && is_cpu_of_plan(table, mask))
        set_cpus(0, mask_of_program(table));
}

int note_bias(dl_phdr_info* program, size_t, void*) {
    process.bias = program->dlpi_addr;
    return 1;
}

void begin_process(PlanTable* table) {
    process.table = table;
    auto const images = __atomic_add_fetch(&table->images, 1, __ATOMIC_RELAXED);
    table->threads = 1;
    auto* const entries = wire::entries_of(table);
    for (uint32_t i = 0; i < table->entry_count; ++i) {
        entries[i].named = 0;
        process.has_names = process.has_names || entries[i].key == PlanKey::name;
        if (images > 1)  // another program, whose functions are not known
            entries[i].functions_end = entries[i].functions_begin;
    }
    dl_iterate_phdr(note_bias, nullptr);
    auto* const state = take_state();
    if (!state)
        return;
    strcpy(state->path, "0");
    Mask inherited;
    if (images > 1 && read_cpus(0, inherited) && is_cpu_of_plan(table, inherited)) {
        state->own = mask_of_program(table);
        state->knows_own = state->is_displaced = true;
    }
    begin_thread(state);
}

// Before the other libraries' constructors (-z initfirst): those of libgomp look at the CPUs.
[[gnu::constructor]] void begin(int, char**, char** environment) {
    int const host_errno = errno;
    recorder::resolve_all();
    process.variable = find_variable(environment);
    auto* const table = process.variable && *process.variable ? map_table(process.variable) : nullptr;
    if (table) {
        process.id = static_cast<uint32_t>(system_call(SYS_getpid));
        uint32_t first = 0;
        bool const is_first = __atomic_compare_exchange_n(&table->process, &first, process.id, false,
                                                          __ATOMIC_RELAXED, __ATOMIC_RELAXED);
        if (!is_first && first != process.id) {
            free_stranger(table);
            *process.variable = 0;
        } else if (real_key_create(&process.end_key, end_of_thread) == 0) {
            pthread_atfork(nullptr, nullptr, free_child);
            begin_process(table);
        }
    }
    errno = host_errno;
}

}  // namespace

bool is_planned() {
    return process.table && static_cast<uint32_t>(system_call(SYS_getpid)) == process.id;
}

ThreadState* this_state() {
    return current_state && is_planned() ? current_state : nullptr;
}

ThreadState* state_of(uint32_t kernel_id) {
    if (!is_planned())
        return nullptr;
    return kernel_id == 0 ? current_state : find_state(kernel_id);
}

// The name of its CPU clock holds it, which libc makes up without a system call.
uint32_t kernel_id_of(pthread_t thread) {
    clockid_t clock = 0;
    return real_getcpuclockid(thread, &clock) == 0 ? ~static_cast<uint32_t>(clock >> 3) : 0;
}

Mask usable_cpus(Mask const& wanted) {
    Mask usable = mask_of_program(process.table);
    uint64_t any = 0;
    for (size_t word = 0; word < wire::plan_mask_words; ++word)
        any |= usable.words[word] &= wanted.words[word];
    return any ? usable : wanted;
}

ThreadState* announce_thread(void* routine, void* argument) {
    auto* const creator = this_state();
    if (!creator)
        return nullptr;
    auto const number = __atomic_fetch_add(&process.table->threads, 1, __ATOMIC_RELAXED);
    auto* const state = take_state();
    if (state) {
        state->number = number;
        state->routine = routine;
        state->argument = argument;
        write_path(*state, *creator);
        StateLock const lock(*creator);
        state->own = creator->own;
        state->is_displaced = creator->is_displaced;
        state->cpu = creator->cpu;
        state->has_nice = creator->has_nice;
        state->own_nice = creator->own_nice;
        if (process.has_names)
            system_call(SYS_prctl, PR_GET_NAME, as_word(state->name_before));
    }
    ++creator->created;
    return state;
}

// The next thread takes its place, unless another one was numbered meanwhile.
void retract_thread(ThreadState* state) {
    auto next = state->number + 1;
    __atomic_compare_exchange_n(&process.table->threads, &next, state->number, false, __ATOMIC_RELAXED,
                                __ATOMIC_RELAXED);
    --current_state->created;
    give_back(state);
}

void begin_thread(ThreadState* state) {
    current_state = state;
    real_setspecific(process.end_key, state);
    StateLock const lock(*state);
    auto const id = own_kernel_id();
    __atomic_store_n(&state->kernel_id, id, __ATOMIC_SEQ_CST);
    if (!process.table)
        return;
    // Attributes may have given it other CPUs than its creator has.
    if (state->is_displaced && !state->knows_own) {
        Mask inherited;
        bool const is_creators = read_cpus(id, inherited) && are_equal(inherited, one_cpu(state->cpu));
        if (!is_creators) {
            state->own = inherited;
            state->is_displaced = false;
        }
        state->knows_own = true;
    }
    plan_new_thread(*state);
    // Its creator may have named it before it could be found.
    char name[sizeof state->name_before] = {};
    if (process.has_names && state->number > 0 && system_call(SYS_prctl, PR_GET_NAME, as_word(name)) == 0 &&
        strcmp(name, state->name_before) != 0)
        plan_name(*state, name);
}

void plan_named_thread(uint32_t kernel_id, char const* name) {
    if (!process.has_names || !process.table)
        return;
    auto* const state = state_of(kernel_id);
    if (!state)
        return;
    char kept[sizeof state->name_before] = {};
    strncpy(kept, name, sizeof kept - 1);
    StateLock const lock(*state);
    if (state->kernel_id != 0)
        plan_name(*state, kept);
}

void expect_sandbox() {
    if (!is_planned())
        return;
    process.table->sandboxed = 1;
    process.table = nullptr;
}

}  // namespace parcast::binder
