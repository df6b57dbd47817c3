#include "program/work_change.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

#include "core/percent_text.h"
#include "core/suggestion.h"
#include "core/time_unit.h"
#include "program/scaled_work.h"

namespace parcast {

namespace {

using Effect = WorkChange::Effect;
using Of = WorkChange::Of;

constexpr double most_factor = 100;
constexpr std::uint32_t most_parts = 1'000;
constexpr std::uint32_t most_lwps = 65'536;
constexpr std::uint32_t nameable_cpus = 64;  // of an affinity
// How a change begins.
constexpr auto subject_words =
    std::to_array<std::string_view>({"function:", "lock:", "thread:", "place:", "io:", "sleep:", "group:",
                                     "wake-ups=", "lwps=", "rank:", "tag:", "collective:"});
constexpr char const* examples =
    "For example: function:solve*0.5, lock:queue_mutex/8, lock:queue_mutex=free, io:*0.1; of messages: "
    "rank:3*0.5, tag:5=free, L=half";

tl::unexpected<Error> not_a_change(std::string_view text, std::string const& problem) {
    return fail(make_error(ErrorCode::malformed, "\"" + std::string(text) + "\": " + problem, examples));
}

// "L=half", "node.G*0.1": a value of the network is a letter.
bool is_of_network(std::string_view text) {
    if (constexpr std::string_view node = "node."; text.starts_with(node))
        text.remove_prefix(node.size());
    auto const is_letter = [](char sign) {
        return (sign >= 'a' && sign <= 'z') || (sign >= 'A' && sign <= 'Z');
    };
    auto const is_of_number = [](char sign) { return (sign >= '0' && sign <= '9') || sign == '.'; };
    return text.size() > 2 && is_letter(text[0]) &&
           (text[1] == '=' || (text[1] == '*' && is_of_number(text[2])));
}

std::optional<Of> subject_of(std::string_view text) {
    if (is_of_network(text))
        return Of::network;
    for (std::size_t subject = 0; subject < subject_words.size(); ++subject)
        if (text.starts_with(subject_words[subject]))
            return static_cast<Of>(subject);
    return std::nullopt;
}

std::optional<std::uint32_t> whole_number(std::string_view text) {
    std::uint32_t number = 0;
    auto const [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    bool const is_whole = problem == std::errc() && end == text.data() + text.size();
    return is_whole ? std::optional(number) : std::nullopt;
}

// The module of the page has no std::from_chars of such numbers.
std::optional<double> decimal_number(std::string_view text) {
    if (text.empty() || text.find_first_not_of("0123456789.eE+-") != std::string_view::npos)
        return std::nullopt;
    std::string const digits(text);
    char* end = nullptr;
    double const number = std::strtod(digits.c_str(), &end);
    return end == digits.c_str() + digits.size() ? std::optional(number) : std::nullopt;
}

// What a value becomes: "half", "never", "5us", "8192".
Result<WorkChange> parse_network_value(std::string_view text) {
    auto const sign = text.find('=');
    WorkChange change{.of = Of::network, .effect = Effect::set, .name = std::string(text.substr(0, sign))};
    auto const word = text.substr(sign + 1);
    if (word == "half") {
        change.effect = Effect::scaled;
        change.factor = 0.5;
    } else if (word == "never") {
        change.effect = Effect::freed;
    } else {
        auto const digits = std::min(word.find_first_not_of("0123456789.eE+-"), word.size());
        auto const unit = unit_ns(word.substr(digits));
        auto const number = decimal_number(word.substr(0, digits));
        if (!number || (!unit && digits < word.size()))
            return not_a_change(text, "a value is half, or a number with its unit, such as 5us");
        change.has_unit = unit.has_value();
        change.value = unit ? in_ns(*number, *unit) : *number;
    }
    return change;
}

bool can_be_free(Of subject) {
    return subject == Of::lock || subject == Of::tag || subject == Of::collective;
}

Result<WorkChange> parse_change(std::string_view text) {
    auto const subject = subject_of(text);
    if (!subject)
        return not_a_change(text,
                            "a change begins with function:, lock:, thread:, place:, io:, sleep:, group:, "
                            "rank:, tag: or collective:, is wake-ups=free or lwps=N, or names a value of the "
                            "network, such as L=half");
    if (*subject == Of::network && text.find('=') != std::string_view::npos)
        return parse_network_value(text);
    WorkChange change;
    change.of = *subject;
    auto const rest = *subject == Of::network
                          ? text
                          : text.substr(subject_words[static_cast<std::size_t>(*subject)].size());
    if (*subject == Of::wake_up) {
        if (rest != "free")
            return not_a_change(text, "wake-ups can only become free: wake-ups=free");
        change.effect = Effect::freed;
        return change;
    }
    if (*subject == Of::lwps) {
        auto const lwps = whole_number(rest);
        if (!lwps || *lwps < 1 || *lwps > most_lwps)
            return not_a_change(text, "a number of LWPs from 1 to 65536 comes after lwps=");
        change.effect = Effect::set;
        change.lwps = *lwps;
        return change;
    }
    if (constexpr std::string_view free = "=free"; can_be_free(*subject) && rest.ends_with(free)) {
        change.effect = Effect::freed;
        change.name = rest.substr(0, rest.size() - free.size());
        return change;
    }
    auto const slash = rest.rfind('/');
    if (*subject == Of::lock && slash != std::string_view::npos &&
        rest.find('*', slash) == std::string_view::npos) {
        auto const parts = whole_number(rest.substr(slash + 1));
        if (!parts || *parts < 1 || *parts > most_parts)
            return not_a_change(text, "a number of locks from 1 to 1000 comes after the /");
        change.effect = Effect::split;
        change.parts = *parts;
        change.name = rest.substr(0, slash);
        return change;
    }
    auto const star = rest.rfind('*');
    auto const at = rest.rfind('@');
    if (*subject == Of::thread && at != std::string_view::npos && star == std::string_view::npos) {
        auto const cpu = whole_number(rest.substr(at + 1));
        if (!cpu || *cpu >= nameable_cpus)
            return not_a_change(text, "the number of a CPU from 0 to 63 comes after the @");
        change.effect = Effect::bound;
        change.cpu = *cpu;
        change.name = rest.substr(0, at);
        return change;
    }
    if (star == std::string_view::npos)
        return not_a_change(text, *subject == Of::lock     ? "a change ends with *FACTOR, /PARTS or =free"
                                  : *subject == Of::thread ? "a change ends with *FACTOR or @CPU"
                                  : can_be_free(*subject)  ? "a change ends with *FACTOR or =free"
                                                           : "a change ends with *FACTOR");
    auto const factor = decimal_number(rest.substr(star + 1));
    if (!factor || !(*factor >= 0 && *factor <= most_factor))
        return not_a_change(text, "a factor from 0 to 100 comes after the *");
    change.factor = *factor;
    change.name = rest.substr(0, star);
    bool const is_operator = change.name.ends_with("operator+") || change.name.ends_with("operator++");
    if (*subject == Of::function && change.name.ends_with('+') && !is_operator) {
        change.with_callees = true;
        change.name.pop_back();
    }
    return change;
}

// A comma within the name of a function does not end a change: what follows is no subject.
std::vector<std::string_view> parts_of(std::string_view text) {
    std::vector<std::string_view> parts;
    std::size_t begin = 0;
    for (std::size_t comma = text.find(','); comma != std::string_view::npos;
         comma = text.find(',', comma + 1)) {
        if (!subject_of(text.substr(comma + 1)))
            continue;
        parts.push_back(text.substr(begin, comma - begin));
        begin = comma + 1;
    }
    parts.push_back(text.substr(begin));
    return parts;
}

std::int64_t scaled_ns(std::int64_t ns, double factor) {
    return std::llround(static_cast<double>(ns) * factor);
}

OwnerKind owner_kind(WorkChange const& change) {
    return change.with_callees ? OwnerKind::function_and_callees : static_cast<OwnerKind>(change.of);
}

std::string who_there_is(ThreadProgram const& program, WorkOwners const& owners, WorkChange const& change) {
    std::vector<double> work(owners.count(), 0);
    for (std::size_t thread = 0; thread < program.lists.size(); ++thread)
        owners.for_each_piece(ThreadId(thread), [&](std::uint32_t, Operation const& operation, auto of) {
            for (auto const& [owner, share, calls] : of)
                work[owner] += share * static_cast<double>(operation.work_ns);
        });
    std::vector<NamedWork> known;
    for (std::size_t owner = 0; owner < work.size(); ++owner)
        if (owners.kind(owner) == owner_kind(change))
            known.push_back({owners.name(owner), work[owner]});
    return parcast::who_there_is(change.name, std::move(known), static_cast<double>(work_ns(program)));
}

void scale_delays(ThreadProgram& program, WorkChange const& change) {
    auto const& catalogue = program.catalogue;
    for (auto& list : program.lists)
        for (std::size_t i = 0; i < list.size(); ++i) {
            auto const operation = list[i];
            bool const is_io = operation.kind() == OperationKind::input_output;
            bool const is_one = is_delay(operation.kind()) && is_io == (change.of == Of::input_output);
            auto const object = operation.object_id();
            bool const is_meant =
                change.name.empty() ||
                (!object.is_none() && (catalogue.objects[object.index()].name == change.name ||
                                       display_name(catalogue, object) == change.name));
            if (is_one && is_meant)
                list.change(i, [&](Operation& each) { each.value = scaled_ns(each.value, change.factor); });
        }
}

// Scales those shares of the operation's work that are meant. Returns what that makes of all of its work.
double scale_shares(std::span<WorkShare> shares, double factor, auto is_share_meant) {
    double before = 0;
    double after = 0;
    for (WorkShare& share : shares) {
        before += static_cast<double>(share.ns);
        if (is_share_meant(share))
            share.ns = scaled_ns(share.ns, factor);
        after += static_cast<double>(share.ns);
    }
    return before > 0 ? after / before : 1;
}

// For functions it scales their shares of the work, for other owners all of it.
void scale_work(ThreadProgram& program, std::vector<bool> const& is_meant, double factor) {
    WorkOwners const owners(program);
    auto const is_any_meant = [&](auto const& all) {
        return std::ranges::any_of(all, [&](std::size_t owner) { return is_meant[owner]; });
    };
    std::vector<std::size_t> whole;
    for (std::size_t thread = 0; thread < program.lists.size(); ++thread) {
        std::size_t next_share = 0;
        owners.for_each_piece(
            ThreadId(thread), [&](std::uint32_t number, Operation const& operation, auto owned) {
                whole.clear();
                for (OwnedShare const& each : owned)
                    if (each.share >= 1)
                        whole.push_back(each.owner);
                double becomes = is_any_meant(whole) ? factor : 1;
                if (owners.has_shares() && becomes == 1) {
                    auto& all = program.shares[thread];
                    auto const found = next_shares(all, next_share, number);
                    auto const of = std::span(all).subspan(
                        static_cast<std::size_t>(found.data() - all.data()), found.size());
                    becomes = scale_shares(of, factor, [&](WorkShare const& share) {
                        return is_any_meant(owners.owners_of(share, ThreadId(thread), operation));
                    });
                }
                program.lists[thread].set_work(number, scaled_ns(operation.work_ns, becomes));
            });
    }
}

// A copy without its lists of before work was handed out.
ThreadProgram copy_as_handed_out(ThreadProgram const& program) {
    return {program.name,    program.catalogue, program.lists,    program.parameters,
            program.objects, program.shares,    program.barriers, program.assumptions,
            std::nullopt,    program.refill,    program.polling};
}

// Mutexes that waits give up and take again.
std::vector<bool> mutexes_of_conditions(ThreadProgram const& program) {
    std::vector<bool> needed(program.objects.size(), false);
    auto const need = [&](ObjectId mutex) {
        if (!mutex.is_none())
            needed[mutex.index()] = true;
    };
    for (auto const& barrier : program.barriers)
        need(barrier.mutex);
    for (auto const& list : program.lists)
        for (Operation const& operation : list)
            if (operation.kind() == OperationKind::condition_wait)
                need(decode_wait(operation.value).mutex);
    return needed;
}

bool is_use_of_lock(Operation const& operation) {
    auto const role = traits_of(operation.kind()).role;
    return role == Role::takes_lock || role == Role::releases_lock;
}

void free_lock(ThreadProgram& program, ObjectId lock) {
    for (auto& list : program.lists)
        keep_only_work(list, [&](Operation const& operation) {
            return is_use_of_lock(operation) && operation.object_id() == lock;
        });
    program.objects[lock.index()].turns.clear();
}

// Critical sections choose their part one after the other, in each thread from another one on.
void split_lock(ThreadProgram& program, ObjectId lock, std::uint32_t parts) {
    std::vector<ObjectId> into = {lock};
    while (into.size() < parts) {
        into.emplace_back(program.objects.size());
        program.objects.push_back(program.objects[lock.index()]);
        program.catalogue.objects.push_back(program.catalogue.objects[lock.index()]);
    }
    for (auto const part : into)
        program.objects[part.index()].turns.clear();
    for (std::size_t thread = 0; thread < program.lists.size(); ++thread) {
        std::size_t section = thread;
        int depth = 0;
        auto& list = program.lists[thread];
        for (std::size_t i = 0; i < list.size(); ++i) {
            auto const operation = list[i];
            if (!is_use_of_lock(operation) || operation.object_id() != lock)
                continue;
            bool const takes = traits_of(operation.kind()).role == Role::takes_lock;
            if (takes && depth++ == 0)
                ++section;
            list.change(i, [&](Operation& use) { use.object = into[section % into.size()].value; });
            if (!takes && depth > 0)
                --depth;
        }
    }
}

// What it sets itself is void.
void bind(ThreadProgram& program, ThreadId thread, std::uint32_t cpu) {
    program.parameters[thread.index()].affinity = std::uint64_t{1} << cpu;
    keep_only_work(program.lists[thread.index()], [](Operation const& operation) {
        return operation.kind() == OperationKind::set_affinity;
    });
}

Result<void> apply(WorkChange const& change, ThreadProgram& program) {
    if (change.of == Of::wake_up || change.of == Of::lwps)
        return {};
    if (change.of == Of::group)
        return fail(make_error(ErrorCode::unasked, "group:" + change.name + " is for task graphs",
                               "In a program of threads: function:, lock:, thread:, place:, io: or sleep:"));
    if (change.of >= Of::rank)
        return fail(make_error(ErrorCode::unasked, "ranks, messages and networks are of message programs",
                               "In a program of threads: function:, lock:, thread:, place:, io: or sleep:"));
    if (change.of == Of::sleep || change.of == Of::input_output) {
        scale_delays(program, change);
        return {};
    }
    WorkOwners const owners(program);
    if (change.with_callees && !owners.has_shares())
        return fail(make_error(ErrorCode::unasked,
                               "this recording does not say what " + change.name + " calls",
                               "Record the program with --sample 1ms, or build it with "
                               "-finstrument-functions and record it again"));
    auto const meant = owners.called(owner_kind(change), change.name);
    std::string const what(owner_kinds[static_cast<std::size_t>(change.of)]);
    if (meant.empty())
        return fail(make_error(ErrorCode::unasked, "the program has no " + what + " \"" + change.name + "\"",
                               who_there_is(program, owners, change)));
    if (change.effect == Effect::bound) {
        for (auto const owner : meant)
            bind(program, owners.thread(owner), change.cpu);
        return {};
    }
    if (change.effect == Effect::scaled) {
        std::vector<bool> is_meant(owners.count(), false);
        for (auto const owner : meant)
            is_meant[owner] = true;
        scale_work(program, is_meant, change.factor);
        return {};
    }
    auto const needed = mutexes_of_conditions(program);
    std::set<ObjectId> locks;
    for (auto const owner : meant)
        for (auto const lock : owners.locks(owner))
            locks.insert(lock);
    for (auto const lock : locks)
        if (needed[lock.index()])
            return fail(
                make_error(ErrorCode::unasked,
                           display_name(program.catalogue, lock) +
                               " belongs to a condition, whose waits need it: it is not split or freed",
                           "What shorter work under it brings: lock:" + change.name + "*0.5"));
    for (auto const lock : locks)
        change.effect == Effect::freed ? free_lock(program, lock) : split_lock(program, lock, change.parts);
    return {};
}

}  // namespace

Result<Scenario> parse_scenario(std::string_view text) {
    Scenario scenario{std::string(text), {}};
    for (auto const part : parts_of(text)) {
        auto change = parse_change(part);
        if (!change)
            return pass_on(change);
        bool const is_for_all =
            change->of == Of::sleep || change->of == Of::input_output || change->of >= Of::wake_up;
        if (change->name.empty() && !is_for_all)
            return not_a_change(part, "it lacks a name");
        scenario.changes.push_back(std::move(*change));
    }
    return scenario;
}

std::string who_there_is(std::string_view meant, std::vector<NamedWork> known, double all_ns) {
    std::erase_if(known, [](NamedWork const& each) { return each.work_ns <= 0; });
    std::ranges::stable_sort(known, std::greater(), &NamedWork::work_ns);
    auto const share = [&](NamedWork const& each) {
        return each.name + " (" + percent_text(all_ns > 0 ? each.work_ns / all_ns : 0) + ")";
    };
    std::vector<std::string_view> words;
    for (auto const& each : known)
        words.push_back(each.name);
    if (auto const near = nearest(meant, words))
        return "Did you mean: " + share(*std::ranges::find(known, *near, &NamedWork::name));
    if (known.empty())
        return "The program has none";
    std::string text = "Those with most work: ";
    for (std::size_t i = 0; i < std::min<std::size_t>(known.size(), 3); ++i)
        text += (i == 0 ? "" : ", ") + share(known[i]);
    return text;
}

Result<ThreadProgram> changed(ThreadProgram const& program, Scenario const& scenario) {
    auto after = copy_as_handed_out(program);
    for (auto const& change : scenario.changes)
        if (auto const applied = apply(change, after); !applied)
            return pass_on(applied);
    return after;
}

ThreadProgram with_work_scaled(ThreadProgram const& program, std::size_t owner, double factor) {
    auto after = copy_as_handed_out(program);
    scale_work(after, owner, factor);
    return after;
}

void scale_work(ThreadProgram& program, std::size_t owner, double factor) {
    std::vector<bool> is_meant(WorkOwners(program).count(), false);
    is_meant[owner] = true;
    scale_work(program, is_meant, factor);
}

}  // namespace parcast
