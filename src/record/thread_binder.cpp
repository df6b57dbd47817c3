#include "record/thread_binder.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <utility>

#include <elf.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/counted.h"
#include "core/star_pattern.h"
#include "trace/symbols/module_symbols.h"
#include "wire/plan_table.h"

namespace parcast::record {

namespace {

// Where functions of that name begin in the program's file; those of its libraries are not looked for.
std::vector<std::uint64_t> functions_named(std::string const& pattern, std::string const& program) {
    constexpr std::uint64_t bias = std::uint64_t{1} << 40;  // libdw takes no module at 0
    std::vector<std::uint64_t> addresses;
    Elf64_Ehdr header{};
    std::ifstream file(program, std::ios::binary);
    if (!file.read(reinterpret_cast<char*>(&header), sizeof header) ||
        std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0)
        return addresses;
    trace::ModuleSymbols const symbols({{program, "", bias}});
    symbols.find_symbol(bias + header.e_entry, [&](trace::Symbol const& symbol) {
        if (symbol.is_function && matches_stars(pattern, trace::demangle(symbol.name)))
            addresses.push_back(symbol.address - bias);
        return false;
    });
    return addresses;
}

Result<void> check_entry(PlanEntry const& entry, std::size_t cpus) {
    for (auto const cpu : entry.cpus)
        if (cpu >= cpus)
            return tl::unexpected<Error>(
                Error{ErrorCode::unasked,
                      "there is no CPU " + std::to_string(cpu) + ": the program gets " +
                          counted(static_cast<std::int64_t>(cpus), "CPU") +
                          ", of which the last one is CPU " + std::to_string(cpus - 1),
                      entry.place, "Name as many of this machine as the plan has with --cpu-ids."});
    if (entry.value.size() >= wire::plan_text_bytes)
        return tl::unexpected<Error>(Error{
            ErrorCode::unasked, "a text has at most " + std::to_string(wire::plan_text_bytes - 1) + " bytes",
            entry.place, "Name the thread by its number instead."});
    return {};
}

wire::PlanTableEntry table_entry(PlanEntry const& entry, std::string const& program,
                                 std::vector<unsigned> const& cpus, std::vector<std::uint32_t>& numbers) {
    wire::PlanTableEntry row{};
    row.key = static_cast<wire::PlanKey>(entry.key);
    std::memcpy(row.text, entry.value.c_str(), entry.value.size());
    if (entry.key == ThreadKey::number)
        row.number = static_cast<std::uint32_t>(std::stoul(entry.value));
    row.cpus_begin = static_cast<std::uint32_t>(numbers.size());
    for (auto const cpu : entry.cpus)
        numbers.push_back(cpus[cpu]);
    row.cpus_end = row.functions_begin = static_cast<std::uint32_t>(numbers.size());
    if (entry.key == ThreadKey::function)
        for (auto const address : functions_named(entry.value, program)) {
            numbers.push_back(static_cast<std::uint32_t>(address));
            numbers.push_back(static_cast<std::uint32_t>(address >> 32));
        }
    row.functions_end = static_cast<std::uint32_t>(numbers.size());
    row.has_nice = entry.nice ? 1 : 0;
    row.nice = entry.nice.value_or(0);
    row.has_real_time = entry.real_time ? 1 : 0;
    row.real_time = entry.real_time.value_or(0);
    return row;
}

static_assert(static_cast<int>(ThreadKey::number) == static_cast<int>(wire::PlanKey::number) &&
              static_cast<int>(ThreadKey::path) == static_cast<int>(wire::PlanKey::path));

Error no_table() {
    return make_error(ErrorCode::not_recorded,
                      std::string("there is no memory for the plan: ") + std::strerror(errno),
                      "Free some resources (see ulimit -a), then try again.");
}

std::string entry_words(PlanEntry const& entry) {
    auto const key = std::string(thread_keys[static_cast<std::size_t>(entry.key)]);
    return "the " + key + " " + (entry.key == ThreadKey::number ? entry.value : '"' + entry.value + '"');
}

std::string place_words(PlanEntry const& entry) {
    return entry.place ? describe({ErrorCode::unasked, "", entry.place, {}}) : "";
}

void add_refusal(std::vector<Notice>& notices, wire::PlanRefusal const& refusal, std::string const& what,
                 std::string const& advice) {
    if (refusal.count > 0)
        notices.push_back({Notice::Kind::warning,
                           "the system refused " + what + " (" + std::strerror(refusal.reason) + ") for " +
                               counted(refusal.count, "thread"),
                           advice});
}

}  // namespace

ThreadBinder::Descriptor::Descriptor(Descriptor&& other) noexcept
    : number_(std::exchange(other.number_, -1)) {}

ThreadBinder::Descriptor::~Descriptor() {
    if (number_ >= 0)
        close(number_);
}

void ThreadBinder::Unmap::operator()(wire::PlanTable* table) const {
    munmap(table, table->bytes);
}

Result<ThreadBinder> ThreadBinder::create(ThreadPlan const& plan, std::string const& program,
                                          std::vector<unsigned> const& cpus) {
    std::vector<wire::PlanTableEntry> entries;
    std::vector<std::uint32_t> numbers;
    for (auto const& entry : plan.entries) {
        if (auto const checked = check_entry(entry, cpus.size()); !checked)
            return pass_on(checked);
        entries.push_back(table_entry(entry, program, cpus, numbers));
    }
    auto library = find_preloaded_library(binder_library);
    if (!library)
        return fail(with_code(ErrorCode::not_recorded, library.error(),
                              "Install parcast again, or build it with: ./dev build"));
    std::optional<RecordingFolder> folder;
    if (!is_loadable(*library)) {
        auto made = RecordingFolder::create();
        if (!made)
            return pass_on(made);
        folder = std::move(*made);
    }
    Descriptor file(memfd_create("parcast plan", MFD_CLOEXEC));
    auto const bytes = sizeof(wire::PlanTable) + entries.size() * sizeof(wire::PlanTableEntry) +
                       numbers.size() * sizeof(std::uint32_t);
    if (file.number() < 0 || ftruncate(file.number(), static_cast<off_t>(bytes)) != 0)
        return fail(no_table());
    void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.number(), 0);
    if (memory == MAP_FAILED)
        return fail(no_table());
    auto* const table = static_cast<wire::PlanTable*>(memory);
    table->magic = wire::plan_magic;
    table->version = wire::plan_version;
    table->bytes = static_cast<std::uint32_t>(bytes);
    table->entry_count = static_cast<std::uint32_t>(entries.size());
    table->number_count = static_cast<std::uint32_t>(numbers.size());
    for (auto const cpu : cpus)
        table->cpus[cpu / 64] |= std::uint64_t{1} << cpu % 64;
    std::memcpy(wire::entries_of(table), entries.data(), entries.size() * sizeof(wire::PlanTableEntry));
    std::memcpy(wire::numbers_of(table), numbers.data(), numbers.size() * sizeof(std::uint32_t));
    ThreadBinder binder(plan, std::move(*library), std::move(folder), std::move(file));
    binder.table_.reset(table);
    return binder;
}

Environment ThreadBinder::environment() const {
    auto environment = preloading_environment(library_, folder_ ? folder_->path() : std::string());
    set_variable(environment, wire::plan_variable,
                 "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(file_.number()));
    return environment;
}

void ThreadBinder::start_again() {
    table_->process = table_->images = 0;
}

std::vector<Notice> ThreadBinder::notices() const {
    constexpr std::size_t most_unnamed = 5;
    std::vector<Notice> notices;
    if (table_->process == 0) {
        notices.push_back({Notice::Kind::warning, "no thread was bound: the plan was not read in the program",
                           "The reasons are those of \"When nothing is recorded\" in docs/record.md."});
        return notices;
    }
    std::size_t unnamed = 0;
    auto const* const entries = wire::entries_of(table_.get());
    for (std::size_t i = 0; i < plan_.entries.size(); ++i) {
        auto const& entry = plan_.entries[i];
        if (entries[i].named == 0 && ++unnamed <= most_unnamed)
            notices.push_back({Notice::Kind::warning,
                               place_words(entry) + "no thread had " + entry_words(entry) + " in this run"});
        if (entries[i].planned_before > 0)
            notices.push_back({Notice::Kind::warning, place_words(entry) + "an entry before it had planned " +
                                                          counted(entries[i].planned_before, "thread") +
                                                          " with " + entry_words(entry) +
                                                          ": the first one counts"});
    }
    if (unnamed > most_unnamed)
        notices.push_back(
            {Notice::Kind::warning, std::to_string(unnamed - most_unnamed) +
                                        " more entries of the plan named no thread in this run"});
    if (unnamed > 0)
        notices.back().advice = "The program created " + counted(table_->threads, "thread") +
                                ". How threads are named: docs/run.md.";
    add_refusal(notices, table_->cpu, "to bind", "They went on unbound.");
    add_refusal(notices, table_->real_time, "the real-time level",
                "They went on without it. It takes CAP_SYS_NICE, or a limit: ulimit -r 99.");
    add_refusal(
        notices, table_->nice, "the nice value",
        "They went on with the one that they had. Below 0 it takes CAP_SYS_NICE, or a limit: ulimit -e.");
    add_refusal(notices, table_->nice_back, "to take back the nice value of the creator",
                "The plan gives none to threads that these create: write one for each.");
    if (table_->sandboxed != 0)
        notices.push_back({Notice::Kind::warning,
                           "the program forbade itself system calls (seccomp): threads that it created "
                           "afterwards are not bound"});
    return notices;
}

}  // namespace parcast::record
