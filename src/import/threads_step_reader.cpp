#include "import/threads_step_reader.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "core/listed.h"
#include "core/suggestion.h"
#include "import/reader_parts.h"
#include "program/tried_lock.h"

namespace parcast {

namespace {

constexpr double most_step_ns = 1e18;
constexpr std::uint32_t most_tokens = 0x7ffffffe;

template <class Number>
std::optional<Number> whole_number(std::string_view text) {
    Number number{};
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

}  // namespace

std::string quoted_name(std::string_view name) {
    return '"' + std::string(name) + '"';
}

std::optional<Priority> level_priority(std::string_view word, double level) {
    bool const takes_turns = word == "round_robin";
    bool const is_real_time = takes_turns || word == "real_time";
    bool const is_level =
        level == std::floor(level) && level >= (is_real_time ? 1 : -20) && level <= (is_real_time ? 99 : 19);
    if (!is_level)
        return std::nullopt;
    return Priority{is_real_time ? SchedulingClass::real_time : SchedulingClass::fair,
                    static_cast<int>(level), takes_turns};
}

char const* level_limits(std::string_view word) {
    if (word == "round_robin")
        return "a round_robin level is a whole number from 1 to 99";
    return word == "real_time" ? "a real_time level is a whole number from 1 to 99"
                               : "a nice value is a whole number from -20 to 19";
}

std::optional<std::uint32_t> NumberedNames::find(std::string_view name) const {
    auto const found = numbers_.find(name);
    return found == numbers_.end() ? std::nullopt : std::optional(static_cast<std::uint32_t>(found->second));
}

std::string NumberedNames::suggestion(std::string_view typed) const {
    std::vector<std::string_view> known;
    for (auto const& [name, number] : numbers_)
        known.push_back(name);
    auto const meant = nearest(typed, known);
    return meant ? ": did you mean " + quoted_name(*meant) + "?" : "";
}

WrittenStep::WrittenStep(std::string_view whole, std::size_t at_byte) : text(whole), place(at_byte) {
    for (auto at = text.find_first_not_of(step_blanks); at != std::string_view::npos;
         at = text.find_first_not_of(step_blanks, at)) {
        auto const end = std::min(text.find_first_of(step_blanks, at), text.size());
        words.push_back({text.substr(at, end - at), at});
        at = end;
    }
}

void StepReader::begin(std::uint32_t thread, std::uint32_t line, StepList list) {
    thread_ = thread;
    list_ = list;
    held_.clear();
    pending_ns_ = 0;
    pending_function_.clear();
    pending_line_ = line;
    has_pending_work_ = false;
}

bool StepReader::read(WrittenStep const& step) {
    if (step.words.empty())
        return complain("a step is empty", step.place);
    return step.word(0) == "work" ? read_work(step) : one_of_the_steps(step, json_.line_of(step.place));
}

void StepReader::end() {
    add(OperationKind::end, Operation::no_object, 0, pending_line_);
}

std::optional<std::size_t> StepReader::creation_of(std::uint32_t thread) const {
    auto const found = creations_.find(thread);
    return found == creations_.end() ? std::nullopt : std::optional(found->second);
}

bool StepReader::read_turn(WrittenStep const& written, std::vector<Turn>& turns) {
    Turn turn{ThreadId(0), 1};
    if (written.words.empty() || written.size() > 2)
        return complain("a turn is written: THREAD [TAKES]", written.place);
    if (!thread_named(written, 0, turn.thread.value) ||
        (written.size() == 2 && !count(written, 1, 1, turn.takes)))
        return false;
    turns.push_back(turn);
    return true;
}

// Which row: of several with the same word the one for what the object is.
bool StepReader::one_of_the_steps(Step const& step, std::uint32_t line) {
    auto const word = step.word(0);
    auto const row = std::ranges::find(step_rows, word, &StepRow::word);
    if (row == step_rows.end())
        return complain(unknown_step(word), step.place_of(0));
    switch (row->subject) {
        case StepSubject::thread: return thread_step(step, *row, line);
        case StepSubject::nothing:
        case StepSubject::any_object: return other_step(step, *row, line);
        default: return object_step(step, line);
    }
}

std::string StepReader::unknown_step(std::string_view word) {
    std::vector<std::string_view> known;
    for (auto const& row : step_rows)
        known.push_back(row.word);
    auto const meant = nearest(word, known);
    known.erase(std::unique(known.begin(), known.end()), known.end());
    return "there is no step " + quoted_name(word) +
           (meant ? ": did you mean " + quoted_name(*meant) + "?" : "; there are " + listed(known, " and "));
}

bool StepReader::wrong_form(Step const& step, std::string_view form) {
    return complain("the step is written: " + std::string(form), step.place_of(0));
}

bool StepReader::read_work(Step const& step) {
    std::int64_t time_ns = 0;
    if (step.size() < 2)
        return wrong_form(step, "work TIME [FUNCTION]");
    if (!time(step, 1, time_ns))
        return false;
    auto const line = json_.line_of(step.place);
    if (has_pending_work_)
        add(OperationKind::work_only, Operation::no_object, 0, pending_line_);
    has_pending_work_ = true;
    pending_ns_ = time_ns;
    pending_line_ = line;
    pending_function_.clear();
    if (step.size() > 2) {
        auto const last = step.text.find_last_not_of(step_blanks);
        pending_function_ = step.text.substr(step.words[2].offset, last + 1 - step.words[2].offset);
    }
    return true;
}

// The function of an operation is that of the work before it.
void StepReader::add(OperationKind kind, std::uint32_t object, std::int64_t value, std::uint32_t line) {
    auto const& function =
        pending_function_.empty() ? program_.catalogue.threads[thread_].name : pending_function_;
    program_.lists[thread_].push_back(make_operation(kind, pending_ns_, object, value, site(line, function)));
    pending_ns_ = 0;
    pending_function_.clear();
    has_pending_work_ = false;
}

SiteId StepReader::site(std::uint32_t line, std::string const& function) {
    if (line != line_of_sites_)
        sites_on_line_.clear();
    line_of_sites_ = line;
    auto const [found, is_new] = sites_on_line_.emplace(function, SiteId(program_.catalogue.sites.size()));
    if (is_new)
        program_.catalogue.sites.emplace_back().frames.push_back({function, file_, line});
    return found->second;
}

// --- words of steps

bool StepReader::time(Step const& step, std::size_t word, std::int64_t& into) {
    auto const text = step.word(word);
    double number = 0;
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    bool const is_number = error == std::errc() && end == text.data() + text.size();
    if (!is_number || !(number >= 0))
        return complain(quoted_name(text) + " is no time: a number from 0, in the unit of the file",
                        step.place_of(word));
    auto const ns = in_ns(number, names_.unit_ns);
    if (!(ns <= most_step_ns))
        return complain("a time is over 10^18 ns, 31 years", step.place_of(word), ErrorCode::out_of_range);
    into = std::llround(ns);
    return true;
}

bool StepReader::count(Step const& step, std::size_t word, std::uint64_t least, std::uint32_t& into,
                       std::string_view prefix) {
    auto text = step.word(word);
    auto const number =
        text.starts_with(prefix) ? whole_number<std::uint64_t>(text.substr(prefix.size())) : std::nullopt;
    if (!number || *number < least || *number > most_counted)
        return complain(quoted_name(text) + " is no " +
                            (prefix.empty() ? "" : std::string(prefix) + " and ") + "whole number from " +
                            std::to_string(least),
                        step.place_of(word));
    into = static_cast<std::uint32_t>(*number);
    return true;
}

bool StepReader::named(Step const& step, std::size_t word, NumberedNames const& names, std::string_view what,
                       std::uint32_t& into) {
    auto const found = names.find(step.word(word));
    into = found.value_or(0);
    return found || complain("there is no " + std::string(what) + " " + quoted_name(step.word(word)) +
                                 names.suggestion(step.word(word)),
                             step.place_of(word), ErrorCode::not_found);
}

bool StepReader::thread_named(Step const& step, std::size_t word, std::uint32_t& into) {
    return named(step, word, names_.threads, "thread", into);
}

bool StepReader::object_named(Step const& step, std::size_t word, std::uint32_t& into) {
    return named(step, word, names_.objects, "object", into);
}

bool StepReader::mutex_named(Step const& step, std::size_t word, ObjectId& into) {
    std::uint32_t object = 0;
    if (!object_named(step, word, object))
        return false;
    into = ObjectId(object);
    return names_.subjects[object] == StepSubject::lock ||
           complain(quoted_name(step.word(word)) + " is a " +
                        name_of(program_.catalogue.objects[object].kind) + ", and no mutex",
                    step.place_of(word), ErrorCode::inconsistent);
}

// --- steps by what they are about

bool StepReader::thread_step(Step const& step, StepRow const& row, std::uint32_t line) {
    std::uint32_t thread = Operation::no_object;
    if (row.kind == OperationKind::join && step.size() != 2) {
        bool const is_any = step.size() == 1 || (step.size() == 3 && step.word(1) == "any");
        if (!is_any)
            return wrong_form(step, row.form);
        if (step.size() == 3 && !thread_named(step, 2, thread))
            return false;
        add(OperationKind::join_any, thread, 0, line);
        return true;
    }
    std::int64_t value = 0;
    bool const has_number = row.kind == OperationKind::activate && step.size() == 3;
    if (step.size() != (has_number ? 3 : 2))
        return wrong_form(step, row.form);
    if (!thread_named(step, 1, thread) || (has_number && !number_taken(step, 2, value)))
        return false;
    add(row.kind, thread, value, line);
    bool const creates = row.kind == OperationKind::create && list_ == StepList::usual;
    return !creates || note_creation(step, thread);
}

bool StepReader::note_creation(Step const& step, std::uint32_t thread) {
    auto const name = quoted_name(step.word(1));
    auto const place = step.place_of(1);
    if (thread == thread_)
        return complain(name + " creates itself", place, ErrorCode::inconsistent);
    if (creations_.contains(thread))
        return complain(name + " is created for the second time", place, ErrorCode::inconsistent);
    if (thread == 0)
        return complain("the first thread of the list is there from the start: put the one that creates " +
                            name + " before it",
                        place, ErrorCode::inconsistent);
    creations_[thread] = place;
    auto& created = program_.catalogue.threads[thread];
    created.parent = ThreadId(thread_);
    created.created_at = program_.lists[thread_].back().site();
    return true;
}

bool StepReader::object_step(Step const& step, std::uint32_t line) {
    auto const first = std::ranges::find(step_rows, step.word(0), &StepRow::word);
    std::uint32_t object = 0;
    if (step.size() < 2)
        return wrong_form(step, first->form);
    if (!object_named(step, 1, object))
        return false;
    auto const row = std::ranges::find_if(step_rows, [&](StepRow const& each) {
        return each.word == step.word(0) && each.subject == names_.subjects[object];
    });
    if (row == step_rows.end())
        return complain("a " + std::string(name_of(program_.catalogue.objects[object].kind)) +
                            " has no step " + quoted_name(step.word(0)),
                        step.place_of(0), ErrorCode::inconsistent);
    std::int64_t value = 0;
    if (!value_of(step, *row, object, value) || !keeps_locks_right(step, row->kind, object))
        return false;
    bool const is_in_barriers = row->kind == OperationKind::condition_barrier;
    add(row->kind, is_in_barriers ? Operation::no_object : object, value, line);
    auto& first_site = program_.catalogue.objects[object].first_site;
    if (first_site.is_none())
        first_site = program_.lists[thread_].back().site();
    return true;
}

// What the step says beside its object.
bool StepReader::value_of(Step const& step, StepRow const& row, std::uint32_t object, std::int64_t& value) {
    switch (row.kind) {
        case OperationKind::condition_wait: return token_wait(step, row, value);
        case OperationKind::condition_signal: return token_grant(step, row, value);
        case OperationKind::condition_barrier: return built_barrier(step, row, object, value);
        case OperationKind::barrier_wait: return barrier(step, row, object, value);
        case OperationKind::lock:
        case OperationKind::read_lock:
        case OperationKind::write_lock:
            value = step.word(step.size() - 1) == "tried" && step.size() == 3 ? by_a_try : 0;
            return step.size() == 2 || value == by_a_try || wrong_form(step, row.form);
        case OperationKind::semaphore_post: return token_grant(step, row, value);
        case OperationKind::semaphore_wait:
            return step.size() == 2 || (step.size() == 3 && number_taken(step, 2, value)) ||
                   (step.size() > 3 && wrong_form(step, row.form));
        default: return step.size() == 2 || wrong_form(step, row.form);
    }
}

// Which unit, or which activation the step took in the recording.
bool StepReader::number_taken(Step const& step, std::size_t word, std::int64_t& value) {
    std::uint32_t number = 0;
    if (!count(step, word, 0, number, "#"))
        return false;
    value = encode_number(number);
    return true;
}

bool StepReader::token_wait(Step const& step, StepRow const& row, std::int64_t& value) {
    TokenWait wait{ObjectId::none(), std::nullopt};
    auto end = step.size();
    wait.at_once = step.word(end - 1) == "at_once";
    end -= wait.at_once ? 1 : 0;
    bool const has_token = end > 2 && step.word(end - 1).starts_with('#');
    auto const token = end - 1;
    end -= has_token ? 1 : 0;
    if (end < 2 || end > 3 || (wait.at_once && !has_token))
        return wrong_form(step, row.form);
    if (has_token && !count(step, token, 0, wait.token.emplace(), "#"))
        return false;
    if (wait.token > most_tokens)
        return complain("a token is numbered up to " + std::to_string(most_tokens), step.place_of(token),
                        ErrorCode::out_of_range);
    if (end == 3 && !mutex_named(step, 2, wait.mutex))
        return false;
    value = encode(wait);
    return true;
}

bool StepReader::token_grant(Step const& step, StepRow const& row, std::int64_t& value) {
    TokenGrant grant{1, 0};
    if (step.size() > 4)
        return wrong_form(step, row.form);
    if ((step.size() > 2 && !count(step, 2, 0, grant.tokens)) ||
        (step.size() > 3 && !count(step, 3, 0, grant.first, "#")))
        return false;
    value = encode(grant);
    return true;
}

bool StepReader::barrier(Step const& step, StepRow const& row, std::uint32_t object, std::int64_t& value) {
    auto const& usual = program_.catalogue.objects[object].initial_value;
    std::uint32_t threads = 0;
    if (step.size() > 3 || (step.size() == 2 && usual.value_or(0) < 1))
        return wrong_form(
            step, step.size() > 3 ? row.form : "barrier BARRIER THREADS, or give the barrier a \"count\"");
    if (step.size() == 3 && !count(step, 2, 1, threads))
        return false;
    value = step.size() == 3 ? threads : *usual;
    return true;
}

bool StepReader::built_barrier(Step const& step, StepRow const& row, std::uint32_t object,
                               std::int64_t& value) {
    ConditionBarrier built{0, ObjectId(object), ObjectId::none()};
    if (step.size() != 3 && step.size() != 4)
        return wrong_form(step, row.form);
    if ((step.size() == 4 && !mutex_named(step, 2, built.mutex)) ||
        !count(step, step.size() - 1, 1, built.participants))
        return false;
    auto& barriers = program_.barriers;
    auto const key = std::tuple(object, built.mutex.value, built.participants);
    auto const [found, is_new] = barrier_numbers_.emplace(key, barriers.size());
    if (is_new)
        barriers.push_back(built);
    value = static_cast<std::int64_t>(found->second);
    return true;
}

// An `unlock` gives back what its own thread holds; `release` may do anything.
bool StepReader::keeps_locks_right(Step const& step, OperationKind kind, std::uint32_t object) {
    auto const role = traits_of(kind).role;
    if (role == Role::takes_lock)
        ++held_[object];
    if (role != Role::releases_lock)
        return true;
    auto& held = held_[object];
    if (held == 0 && step.word(0) == "unlock")
        return complain(quoted_name(program_.catalogue.threads[thread_].name) + " unlocks " +
                            quoted_name(step.word(1)) +
                            ", which it does not hold: lock it before, or write \"release\" if another "
                            "thread holds it",
                        step.place_of(0), ErrorCode::inconsistent);
    held -= held > 0 ? 1 : 0;
    return true;
}

bool StepReader::other_step(Step const& step, StepRow const& row, std::uint32_t line) {
    std::uint32_t object = Operation::no_object;
    std::int64_t value = 0;
    if (!other_value(step, row, object, value))
        return false;
    add(row.kind, object, value, line);
    return true;
}

bool StepReader::other_value(Step const& step, StepRow const& row, std::uint32_t& object,
                             std::int64_t& value) {
    bool const is_delay_step = is_delay(row.kind);
    bool const has_argument = is_delay_step || traits_of(row.kind).role == Role::schedules;
    bool const may_have_argument = has_argument || row.kind == OperationKind::accept;
    std::size_t const most = is_delay_step ? 3 : may_have_argument ? 2 : 1;
    if (step.size() < (has_argument ? 2 : 1) || step.size() > most)
        return wrong_form(step, row.form);
    if (is_delay_step) {
        bool const object_first = row.kind == OperationKind::input_output;
        std::size_t const time_word = object_first ? step.size() - 1 : 1;
        return time(step, time_word, value) &&
               (step.size() == 2 || object_named(step, object_first ? 1 : 2, object));
    }
    if (row.kind == OperationKind::accept)
        return step.size() == 1 || number_taken(step, 1, value);
    if (row.kind == OperationKind::set_affinity)
        return affinity(step, value);
    if (row.kind == OperationKind::set_concurrency) {
        auto const lwps = whole_number<std::uint32_t>(step.word(1));
        value = lwps.value_or(0);
        return lwps || complain("a number of LWPs is a whole number from 0 on", step.place_of(1),
                                ErrorCode::out_of_range);
    }
    if (row.kind == OperationKind::set_priority) {
        auto const number = whole_number<int>(step.word(1));
        auto const priority = number ? level_priority(row.word, *number) : std::nullopt;
        value = priority ? encode_priority(*priority) : 0;
        return priority || complain(level_limits(row.word), step.place_of(1), ErrorCode::out_of_range);
    }
    return true;
}

bool StepReader::affinity(Step const& step, std::int64_t& value) {
    std::uint64_t mask = 0;
    auto list = step.word(1);
    for (bool more = list != "all"; more;) {
        auto const end = std::min(list.find(','), list.size());
        auto const cpu = whole_number<std::uint64_t>(list.substr(0, end));
        if (!cpu || *cpu >= most_affine_cpus)
            return complain("CPUs are numbers from 0 to 63 with commas between them, or all",
                            step.place_of(1));
        mask |= std::uint64_t{1} << *cpu;
        more = end < list.size();
        list.remove_prefix(std::min(end + 1, list.size()));
    }
    value = static_cast<std::int64_t>(mask);
    return true;
}

}  // namespace parcast
