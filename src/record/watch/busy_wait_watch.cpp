#include "record/watch/busy_wait_watch.h"

#include <algorithm>
#include <charconv>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <system_error>
#include <utility>

#include <elf.h>

#include "measure/clock.h"
#include "record/watch/busy_loop.h"
#include "trace/symbols/module_symbols.h"

namespace parcast::record {

namespace {

constexpr std::int64_t second_ns = 1'000'000'000;
constexpr std::size_t most_examined = 64;  // threads at once
constexpr int examinations = 3;
constexpr int convincing = 2;
constexpr timespec between_examinations{0, 20'000'000};
constexpr unsigned first_examination = 2;  // after so many suspicious looks
constexpr unsigned longest_rest = 60;      // looks

// One that sleeps is left alone: some system calls fail when they are disturbed.
std::vector<pid_t> ready_among(std::int64_t process, std::vector<pid_t> threads) {
    std::erase_if(threads, [&](pid_t thread) { return !is_ready(process, thread); });
    return threads;
}

bool is_fixed_in_memory(std::string const& path) {
    std::ifstream file(path, std::ios::binary);
    Elf64_Ehdr header{};
    return file.read(reinterpret_cast<char*>(&header), sizeof header) && header.e_type == ET_EXEC;
}

// A line of /proc/PID/maps.
struct Mapping {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::string path;
};

std::optional<Mapping> mapping_of(std::string const& line) {
    Mapping mapping;
    char const* const last = line.data() + line.size();
    auto const begin = std::from_chars(line.data(), last, mapping.begin, 16);
    if (begin.ec != std::errc() || begin.ptr == last)
        return std::nullopt;
    auto const end = std::from_chars(begin.ptr + 1, last, mapping.end, 16);
    std::size_t const path = line.find('/');
    if (end.ec != std::errc() || path == std::string::npos)
        return std::nullopt;
    mapping.path = line.substr(path);
    return mapping;
}

// The file mapped at the address, with the place where it begins.
std::optional<Module> module_at(std::int64_t process, std::uint64_t address) {
    std::ifstream file("/proc/" + std::to_string(process) + "/maps");
    std::optional<Mapping> first;
    for (std::string line; std::getline(file, line);) {
        auto const mapping = mapping_of(line);
        if (!mapping)
            continue;
        if (!first || first->path != mapping->path)
            first = mapping;
        if (mapping->begin <= address && address < mapping->end)
            return Module{first->path, {}, is_fixed_in_memory(first->path) ? 0 : first->begin};
    }
    return std::nullopt;
}

}  // namespace

std::vector<pid_t> BusyWaitWatch::suspects_of(std::int64_t process, std::int64_t elapsed_ns) {
    std::vector<pid_t> running;
    bool runs_on = false;  // a thread that ran before the last look as well
    std::int64_t kept_waiting_ns = 0;
    for (pid_t const thread : threads_of(process)) {
        auto const times = times_of(process, thread);
        if (!times)
            continue;
        Seen& seen = threads_[thread];
        bool const is_known = seen.look != 0;
        std::int64_t const ran_ns = is_known ? times->run_ns - seen.times.run_ns : 0;
        kept_waiting_ns += is_known ? times->ready_ns - seen.times.ready_ns : 0;
        bool const has_run = ran_ns * 100 > elapsed_ns;
        if (has_run)
            running.push_back(thread);
        runs_on = runs_on || (has_run && seen.has_run);
        seen = {*times, look_, has_run};
    }
    bool const others_waited = kept_waiting_ns * 5 > elapsed_ns;
    // All that run, since all have to stand still while one of them is examined.
    return others_waited && runs_on && running.size() <= most_examined ? running : std::vector<pid_t>();
}

std::vector<SeenBusyWait> BusyWaitWatch::examine(std::int64_t process, std::vector<pid_t> const& threads) {
    std::vector<BusyLoop> found;
    int times_found = 0;
    for (int i = 0; i < examinations; ++i) {
        auto const loops = busy_loops(ready_among(process, threads));
        times_found += loops.empty() ? 0 : 1;
        found.insert(found.end(), loops.begin(), loops.end());
        nanosleep(&between_examinations, nullptr);
    }
    std::vector<SeenBusyWait> seen;
    if (times_found < convincing)
        return seen;
    for (BusyLoop const& loop : found) {
        std::string place = place_in_process(process, loop.address);
        if (known_.emplace(process, place).second) {
            seen.push_back({process, static_cast<std::uint32_t>(loop.thread), loop.address,
                            static_cast<std::uint64_t>(measure::kernel_now().ns), std::move(place)});
        }
    }
    return seen;
}

std::vector<SeenBusyWait> BusyWaitWatch::look() {
    std::int64_t const begin = measure::wall_ns();
    std::int64_t const elapsed = begin - last_look_ns_;
    ++look_;
    std::vector<SeenBusyWait> seen;
    std::int64_t previous = 0;
    std::int64_t examining_ns = 0;
    for (RawFile const& file : folder_->raw_files()) {
        if (std::exchange(previous, file.process) == file.process)
            continue;
        auto const suspects = suspects_of(file.process, elapsed);
        unsigned& next = next_examination_.try_emplace(file.process, first_examination).first->second;
        if (suspects.empty() || look_ < next || !is_recorded_in(folder_->path(), file.process))
            continue;
        std::int64_t const examined_at = measure::wall_ns();
        auto const found = examine(file.process, suspects);
        seen.insert(seen.end(), found.begin(), found.end());
        next = look_ + std::min(longest_rest, 1U << std::min(examinations_[file.process]++, 8U));
        examining_ns += measure::wall_ns() - examined_at;
    }
    std::erase_if(threads_, [&](auto const& thread) { return thread.second.look != look_; });
    last_look_ns_ = begin;
    std::int64_t const cost = measure::wall_ns() - begin - examining_ns;
    pause_ = Duration{std::max(second_ns, 100 * cost)};
    return seen;
}

std::string place_in_process(std::int64_t process, std::uint64_t address) {
    auto const module = module_at(process, address);
    if (!module)
        return "an unknown place";
    trace::ModuleSymbols const symbols({*module});
    auto const frames = symbols.frames_at(address);
    std::string const file = std::filesystem::path(module->path).filename().string();
    if (frames.empty()) {
        std::ostringstream place;
        place << file << "+0x" << std::hex << address - module->load_bias;
        return place.str();
    }
    std::string const source = std::filesystem::path(frames.front().file).filename().string();
    return frames.front().function + (source.empty()
                                          ? " (" + file + ")"
                                          : " (" + source + ":" + std::to_string(frames.front().line) + ")");
}

}  // namespace parcast::record
