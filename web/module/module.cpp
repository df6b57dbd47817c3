// The simulator as a WebAssembly module, for a report that is opened with no server behind it. It replays one
// program as `parcast view` does and gives the same bytes (src/view/replay_on_demand.h).
//
// The interface is C: numbers, and addresses in `memory`.
//
//     handle = parcast_open(address, length)
//         a program as bytes (PCPG or PCMP, docs/formats/execution.md); 0: refused
//     answer = parcast_replay(handle, cpus, scheduler, with_timeline, scenario, length)
//         u32 length at `answer`, from answer + 8 on the execution (PCEX); the handle's until its next
//         answer, or until it is closed; 0: refused. `scenario`: a change of the program as
//         `predict --what-if` takes it, so many bytes; none: as it is
//     answer = parcast_replay_messages(handle, numbers, count, with_timeline)
//         the same of a program that sends messages (PCMP), on a network of so many f64
//         (src/view/message_program.h). The other calls are for programs of threads
//     answer = parcast_weights(handle, counts, count), parcast_operation_weights(handle, cpus)
//         what decides the time on each of so many u32, and the weight of each operation (PCWT)
//     text = parcast_advice(handle, tried, count)
//         what to change first, by so many f64 of what was tried (view::WorkWeights::sentences); valid until
//         the next call
//     text = parcast_extent(points, count)
//         how far a program scales (view::extent_sentence), by points of two f64 each: a number of CPUs,
//         rising, and its speed-up; ends with a zero byte; valid until the next call
//     text = parcast_error()
//         why the last call was refused; ends with a zero byte
//
// scheduler: the number of its row in src/machine/schedulers.h, or how many rows there are for that of the
// program's machine. `address` is one of parcast_allocate (0: no
// memory), which the caller frees by parcast_free when parcast_open has returned. What runs out of memory
// elsewhere traps (`unreachable`): the instance is then of no use any more, and a new one has to be made.
//
// The module imports nothing. What the C library would ask its host for does not happen here; if it did, it
// would be told that there is no such thing.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "view/message_program.h"
#include "view/program_bytes.h"
#include "view/replay_on_demand.h"
#include "view/work_weights.h"

namespace {

using namespace parcast;

struct Opened {
    std::variant<view::PortableProgram, view::PortableMessages> content;
    view::Bytes answer;                                // the last one, behind its length
    std::unique_ptr<view::WorkWeights const> weights;  // once they were asked for
};

constexpr std::size_t answer_head = 8;

std::string& last_error() {
    static std::string text;
    return text;
}

template <class Program>
std::unique_ptr<Opened> opened(Result<Program> program) {
    if (!program) {
        last_error() = view::error_sentences(program.error());
        return nullptr;
    }
    return std::make_unique<Opened>(Opened{std::move(*program), {}, nullptr});
}

bool has_messages(std::span<std::byte const> bytes) {
    auto const& magic = view::message_program_magic;
    return bytes.size() >= magic.size() && std::memcmp(bytes.data(), magic.data(), magic.size()) == 0;
}

// Null: it is of another form.
template <class Program>
Program const* program_in(Opened const& handle) {
    auto const* const program = std::get_if<Program>(&handle.content);
    if (program == nullptr)
        last_error() = "the program is of another form.";
    return program;
}

// Aligned as the columns want to be.
view::Bytes behind_length(view::Bytes const& bytes) {
    view::Bytes answer(answer_head + bytes.size());
    auto const length = static_cast<std::uint32_t>(bytes.size());
    std::memcpy(answer.data(), &length, sizeof length);
    std::memcpy(answer.data() + answer_head, bytes.data(), bytes.size());
    return answer;
}

std::byte const* answered(Opened& handle, view::Bytes const& bytes) {
    handle.answer = behind_length(bytes);
    return handle.answer.data();
}

// Null: refused.
view::WorkWeights const* weights_of(Opened& handle) {
    if (!handle.weights) {
        auto const* const opened = program_in<view::PortableProgram>(handle);
        if (opened == nullptr)
            return nullptr;
        auto weights = view::WorkWeights::of(opened->program, opened->pairing, opened->machine);
        if (!weights) {
            last_error() = view::error_sentences(weights.error());
            return nullptr;
        }
        handle.weights = std::move(*weights);
    }
    return handle.weights.get();
}

}  // namespace

#define PARCAST_EXPORT(name) extern "C" __attribute__((export_name(#name)))

PARCAST_EXPORT(parcast_allocate) void* parcast_allocate(std::uint32_t bytes) {
    return std::malloc(bytes);
}
PARCAST_EXPORT(parcast_free) void parcast_free(void* address) {
    std::free(address);
}

PARCAST_EXPORT(parcast_open) Opened* parcast_open(std::byte const* bytes, std::uint32_t length) {
    std::span const all(bytes, length);
    return (has_messages(all) ? opened(view::read_message_program(all)) : opened(view::read_program(all)))
        .release();
}
PARCAST_EXPORT(parcast_close) void parcast_close(Opened* handle) {
    std::unique_ptr<Opened>{handle};
}

PARCAST_EXPORT(parcast_replay)
std::byte const* parcast_replay(Opened* handle, std::uint32_t cpus, std::uint32_t scheduler,
                                std::uint32_t with_timeline, char const* scenario, std::uint32_t length) {
    if (scheduler > schedulers.size()) {
        last_error() = "there is no such scheduler.";
        return nullptr;
    }
    handle->answer = {};  // before the next one is made
    auto const* const opened = program_in<view::PortableProgram>(*handle);
    if (opened == nullptr)
        return nullptr;
    auto const& [program, machine, pairing, shown_cpus] = *opened;
    auto const bytes = view::replay(
        program, machine, pairing,
        {.cpus = cpus,
         .scheduler = scheduler < schedulers.size() ? std::optional(static_cast<SchedulerNumber>(scheduler))
                                                    : std::nullopt,
         .detail = with_timeline != 0 ? view::Detail::timeline : view::Detail::totals,
         .scenario = length == 0 ? std::string() : std::string(scenario, length)},
        shown_cpus);
    if (!bytes) {
        last_error() = view::error_sentences(bytes.error());
        return nullptr;
    }
    return answered(*handle, *bytes);
}

PARCAST_EXPORT(parcast_replay_messages)
std::byte const* parcast_replay_messages(Opened* handle, double const* numbers, std::uint32_t count,
                                         std::uint32_t with_timeline) {
    handle->answer = {};
    auto const* const opened = program_in<view::PortableMessages>(*handle);
    if (opened == nullptr)
        return nullptr;
    auto const setting = view::setting_of({numbers, count});
    auto const bytes =
        setting ? view::replay_messages(opened->program, opened->node_of_rank, opened->cpu_speed, *setting,
                                        with_timeline != 0 ? view::Detail::timeline : view::Detail::totals)
                : Result<view::Bytes>(pass_on(setting));
    if (!bytes) {
        last_error() = view::error_sentences(bytes.error());
        return nullptr;
    }
    return answered(*handle, *bytes);
}

PARCAST_EXPORT(parcast_weights)
std::byte const* parcast_weights(Opened* handle, std::uint32_t const* counts, std::uint32_t count) {
    handle->answer = {};
    auto const* const weights = weights_of(*handle);
    return weights == nullptr ? nullptr : answered(*handle, weights->by_owner({counts, count}));
}
PARCAST_EXPORT(parcast_operation_weights)
std::byte const* parcast_operation_weights(Opened* handle, std::uint32_t cpus) {
    handle->answer = {};
    auto const* const weights = weights_of(*handle);
    return weights == nullptr ? nullptr : answered(*handle, weights->by_operation(cpus));
}

PARCAST_EXPORT(parcast_advice)
char const* parcast_advice(Opened* handle, double const* tried, std::uint32_t count) {
    static std::string text;
    auto const* const weights = weights_of(*handle);
    text = weights == nullptr ? "" : weights->sentences({tried, count});
    return text.c_str();
}

PARCAST_EXPORT(parcast_extent) char const* parcast_extent(double const* points, std::uint32_t count) {
    static std::string text;
    std::vector<analysis::SpeedUpAt> speed_ups;
    for (std::uint32_t i = 0; i < count; ++i)
        speed_ups.push_back({static_cast<std::uint32_t>(points[2 * i]), points[2 * i + 1]});
    text = view::extent_sentence(speed_ups);
    return text.c_str();
}

PARCAST_EXPORT(parcast_error) char const* parcast_error() {
    return last_error().c_str();
}
