#include "trace/raw/raw_stream.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "timeline/run_delay.h"

namespace parcast::trace {

namespace {

// All ones ("no time-out") and other absurdly long times become the longest there is.
std::int64_t signed_value(RawMeaning const& meaning, std::uint64_t value) {
    bool const is_time = meaning.event == EventKind::sleep || meaning.event == EventKind::poll;
    if (is_time && value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
        return std::numeric_limits<std::int64_t>::max();
    return static_cast<std::int64_t>(value);
}

// Its CPU clock began to run before the recording. Those of all others began inside it: what they show at
// the first reading (the kernel's part of starting a thread) belongs to the program.
constexpr std::uint32_t initial_thread = 0;

constexpr char const* is_years_away = "the recording holds a time that is years away.";
constexpr char const* runs_backwards = "time runs backwards in the recording.";

// A thread that was away for so long at a reading of its CPU clock was switched out, though the recorder did
// not notice: by the host of a virtual machine, say.
constexpr std::int64_t least_absence_ns = 50'000;

// A preemption does not cost that much: a longer hold is as long as it was measured.
constexpr std::int64_t most_of_a_preemption_ns = 1'000'000;

bool is_input_or_output(EventKind kind) {
    return waits_outside(kind) && kind != EventKind::wait_child;
}

// Did a call with these two halves make the thread wait? I/O calls are always recorded in two; they waited
// only if the processor was taken from them. A thread that yields stays ready.
bool has_waited(EventKind kind, bool switched) {
    if (kind == EventKind::yield)
        return false;
    return !is_input_or_output(kind) || switched;
}

Outcome outcome_of(std::uint64_t flags) {
    if (flags & wire::flag_timed_out)
        return Outcome::timed_out;
    return flags & wire::flag_failed ? Outcome::failed : Outcome::done;
}

// A record that is cut off is no record.
std::unordered_map<std::uint64_t, std::int64_t> final_clocks_in(RawLayout const& layout) {
    std::unordered_map<std::uint64_t, std::int64_t> clocks;
    for (std::size_t at = 0; at + sizeof(wire::FinalClock) <= layout.final_clocks.size();
         at += sizeof(wire::FinalClock)) {
        wire::FinalClock record{};
        std::memcpy(&record, layout.final_clocks.data() + at, sizeof record);
        if (record.cpu_ns <= static_cast<std::uint64_t>(longest_ns))
            clocks[record.thread_number] = static_cast<std::int64_t>(record.cpu_ns);
    }
    return clocks;
}

std::uint64_t saved_ticks(wire::Header const& header, TickScale const& scale) {
    double const saved_ns = header.event_cost_ns - header.unmeasured_cost_ns;
    return saved_ns > 0 ? scale.ticks(saved_ns) : 0;
}

std::string name_from(std::uint64_t first, std::uint64_t second) {
    char text[17] = {};
    std::memcpy(text, &first, 8);
    std::memcpy(text + 8, &second, 8);
    return text;
}

}  // namespace

StreamSetting::StreamSetting(RawLayout const& layout, TickScale const& ticks, std::int64_t end)
    : scale(ticks),
      clock(layout.header.clock),
      end_ns(end),
      brief_ticks(ticks.ticks(wire::brief_ns)),
      saved_ticks(trace::saved_ticks(layout.header, ticks)),
      final_clocks(final_clocks_in(layout)) {}

Result<StreamDecoder::Decoded> StreamDecoder::decode(std::span<std::byte const> words, std::uint64_t offset,
                                                     Rest rest) {
    std::size_t const count = words.size() / sizeof(std::uint64_t);
    std::size_t i = 0;
    while (i < count && !has_ended_) {
        Word word{word_at(words, i), {}};
        if (word.word == 0) {
            last_word_ = 0;
            return Decoded{i * sizeof(std::uint64_t), true};
        }
        SourcePosition const place{{}, {}, {}, offset + i * sizeof(std::uint64_t)};
        unsigned const payload = wire::payload_words(word.kind());
        if (static_cast<unsigned>(word.kind()) >= wire::kind_count || word.kind() == wire::Kind::none)
            return fail(ErrorCode::malformed, "the recording holds an unknown kind of event", place);
        if (payload > count - i - 1) {
            if (rest == Rest::nothing)
                return fail(ErrorCode::malformed, "an event reaches beyond its chunk", place);
            break;
        }
        for (unsigned k = 0; k < payload; ++k)
            word.payload[k] = word_at(words, i + 1 + k);
        if (char const* const problem = interpret(word))
            return fail(ErrorCode::malformed, problem, place);
        last_word_ = word.word;
        i += 1 + payload;
    }
    // A file may be cut off inside an event.
    bool const is_over =
        rest == Rest::cut_off ? !has_ended_ || i == count : rest == Rest::nothing && i == count;
    if (is_over)
        last_word_ = 0;
    return Decoded{i * sizeof(std::uint64_t), is_over};
}

std::span<Event> StreamDecoder::final_events() {
    if (!thread_ || (!has_ended_ && open_.size() < look_at_))
        return {};
    return std::span(open_).first(has_ended_ ? open_.size() : final_count());
}

// The last event may still be a call that has not returned.
std::size_t StreamDecoder::final_count() const {
    bool const waits_for_clock = !cpu_.is_started() && thread_->number != initial_thread;
    if (open_.empty() || waits_for_clock)
        return 0;
    std::size_t count = open_.size() - 1;
    if (!unread_waits_.empty())
        count = std::min(count, unread_waits_.front() - handed_over_);
    std::int64_t held_ns = 0;
    std::size_t first_held = open_.size();
    while (first_held > 0 && held_ns < expected_debt_ns_.value_or(0)) {
        Event const& event = open_[--first_held];
        held_ns += event.cpu_ns + event.cpu_inside_ns;
    }
    return std::min(count, first_held);
}

// What remains is looked at again when there is twice as much: that keeps the cost per event constant.
void StreamDecoder::drop(std::size_t events) {
    open_.erase(open_.begin(), open_.begin() + static_cast<std::ptrdiff_t>(events));
    handed_over_ += events;
    shares_.drop_before(static_cast<std::uint32_t>(handed_over_));
    look_at_ = 2 * open_.size();
}

std::optional<RawThread> StreamDecoder::take_ended() {
    if (!has_ended_)
        return std::nullopt;
    has_ended_ = false;
    open_.clear();
    handed_over_ = 0;
    look_at_ = 0;
    return std::exchange(thread_, std::nullopt);
}

char const* StreamDecoder::interpret(Word const& word) {
    if (word.kind() == wire::Kind::define_object || word.kind() == wire::Kind::define_site)
        return define(word);
    if (word.kind() == wire::Kind::define_stack)
        return shares_.define(wire::stack_of(word.word), word.payload[0], word.payload[1], numbers_);
    if (word.kind() == wire::Kind::stack_time)
        return divide_work(word);
    if (word.kind() == wire::Kind::run_delay)
        return note_run_delay(word);
    // Elapses with the word that follows.
    if (word.kind() == wire::Kind::time_base) {
        if (word.payload[0] < ticks_)
            return runs_backwards;
        if (!setting_.scale.nanoseconds(word.payload[0]))
            return is_years_away;
        word_ticks_ = word.payload[0];
        return nullptr;
    }
    std::uint64_t const ticks = word_ticks_ + wire::delta_of(word.word);
    bool const switched = is_switch(word, ticks);
    learn_from(word, ticks, switched);
    if (char const* const problem = add_unmeasured_release(ticks, switched))
        return problem;
    if (char const* const problem = advance_to(ticks))
        return problem;
    word_ticks_ = ticks;
    return interpret_timed(word, switched);
}

bool StreamDecoder::is_switch(Word const& word, std::uint64_t ticks) const {
    if (word.kind() != wire::Kind::cpu_sync)
        return false;
    if (word.flags() & wire::flag_switched)
        return true;
    auto const at = setting_.scale.nanoseconds(ticks);
    return ticks_are_cpu_time_ && at && word.payload[0] <= static_cast<std::uint64_t>(longest_ns) &&
           cpu_.away_ns(static_cast<std::int64_t>(word.payload[0]), *at - now_ns_) > least_absence_ns;
}

// With no event between a lock and this word, its release.
bool StreamDecoder::ends_hold(Word const& word) const {
    return word.kind() == wire::Kind::mutex_unlock && word.flags() == 0 && lock_ != 0 &&
           wire::object_slot_of(lock_) == wire::object_slot_of(word.word);
}

void StreamDecoder::follow_hold(Word const& word) {
    ends_preempted_hold_ = ends_hold(word) && switched_since_event_;
    if (ends_preempted_hold_)
        return;
    bool const takes = word.kind() == wire::Kind::mutex_lock && (word.flags() & ~wire::flag_blocked) == 0;
    bool const has_waited = word.kind() == wire::Kind::resumed && (word.flags() & wire::flag_failed) == 0;
    if (!has_waited)
        lock_ = takes ? word.word : 0;
}

// How long mutexes are held while the thread runs.
void StreamDecoder::learn_from(Word const& word, std::uint64_t ticks, bool is_switch) {
    switched_since_event_ = switched_since_event_ || is_switch;
    if (word.kind() == wire::Kind::cpu_sync)
        return;
    follow_hold(word);
    std::uint64_t const gap = ticks > event_ticks_ ? ticks - event_ticks_ : 0;
    bool const is_long = gap > setting_.brief_ticks && !switched_since_event_;
    bool const is_release = word.kind() == wire::Kind::mutex_unlock && word.flags() == 0 &&
                            wire::kind_of(last_event_) == wire::Kind::mutex_lock &&
                            wire::flags_of(last_event_) == 0 &&
                            wire::object_slot_of(last_event_) == wire::object_slot_of(word.word);
    if (is_release) {
        last_hold_ = wire::site_slot_of(last_event_);
        if (!switched_since_event_)
            holds_[last_hold_].add_whole_hold(gap);
        Slot const& site = sites_[wire::site_slot_of(word.word)];
        if (last_word_ == last_event_)
            holds_[last_hold_].add_hold(gap, setting_.brief_ticks,
                                        site.address == 0 ? SiteId::none() : SiteId(site.number));
        else if (is_long)
            holds_[last_hold_].add_long_hold(gap);
    } else {
        if (last_hold_ != 0 && is_long)
            holds_[last_hold_].add_long_work(gap);
        last_hold_ = 0;
    }
    last_event_ = word.word;
    event_ticks_ = ticks;
    switched_since_event_ = false;
}

char const* StreamDecoder::add_unmeasured_release(std::uint64_t next_ticks, bool was_switched) {
    if (!unmeasured_ || next_ticks < ticks_)
        return nullptr;
    std::uint64_t const hold =
        holds_[unmeasured_site_].hold_in(next_ticks - ticks_, setting_.brief_ticks, was_switched);
    if (char const* const problem = advance_to(ticks_ + (hold - std::min(hold, setting_.saved_ticks))))
        return problem;
    unmeasured_->wall_ns = now_ns_;
    unmeasured_->cpu_ns = cpu_.take();
    append(*unmeasured_);
    unmeasured_.reset();
    ++remarks_.unmeasured;
    return nullptr;
}

char const* StreamDecoder::interpret_timed(Word const& word, bool is_switch) {
    switch (word.kind()) {
        case wire::Kind::cpu_sync: return synchronise(word, is_switch);
        case wire::Kind::thread_begin: return begin_thread(word);
        default: break;
    }
    if (!thread_) {
        ++remarks_.strays;
        return nullptr;
    }
    if (word.kind() == wire::Kind::resumed) {
        close_call(static_cast<std::int64_t>(word.payload[0]), word.flags());
        return nullptr;
    }
    auto const& meaning = meaning_of(word.kind());
    return meaning ? add_event(word, *meaning) : describe_thread(word);
}

char const* StreamDecoder::advance_to(std::uint64_t ticks) {
    if (ticks < ticks_)
        return runs_backwards;
    auto const now = setting_.scale.nanoseconds(ticks);
    if (!now)
        return is_years_away;
    if (ticks_are_cpu_time_)
        cpu_.elapse(*now - now_ns_);
    ticks_ = ticks;
    now_ns_ = *now;
    return nullptr;
}

char const* StreamDecoder::synchronise(Word const& word, bool switched) {
    if (word.payload[0] > static_cast<std::uint64_t>(longest_ns))
        return "the recording holds a CPU time of years.";
    auto const clock_ns = static_cast<std::int64_t>(word.payload[0]);
    if (thread_ && !cpu_.is_started() && thread_->number != initial_thread)
        open_.front().cpu_ns = clock_ns;
    read_clock(clock_ns, !switched      ? CpuAccount::Open::ran
                         : is_waiting() ? CpuAccount::Open::waited
                                        : CpuAccount::Open::switched);
    switched_ = switched_ || switched;
    return nullptr;
}

char const* StreamDecoder::note_run_delay(Word const& word) {
    if (!thread_)
        return nullptr;
    std::uint64_t const delay_ns = word.payload[0];
    bool const is_of_call = call_ && (word.flags() & wire::flag_blocked) != 0;
    if (is_of_call && run_delay_ns_ && *run_delay_ns_ <= delay_ns)
        call_run_delay_ns_ = delay_ns - *run_delay_ns_;
    run_delay_ns_ = delay_ns;
    return nullptr;
}

// What the waits took that were left unread shows now.
void StreamDecoder::read_clock(std::int64_t clock_ns, CpuAccount::Open open) {
    std::int64_t const each = cpu_.sync(clock_ns, open);
    for (std::size_t const wait : unread_waits_)
        open_[wait - handed_over_].cpu_inside_ns = each;
    unread_waits_.clear();
}

// In a call that does nothing else.
bool StreamDecoder::is_waiting() const {
    return call_ && !is_input_or_output(call_->event) && call_->event != EventKind::yield;
}

char const* StreamDecoder::define(Word const& word) {
    ++remarks_.definitions;
    if (word.kind() == wire::Kind::define_object) {
        objects_[wire::object_slot_of(word.word)] = {word.payload[0], std::nullopt, 0};
    } else {
        unsigned const slot = wire::site_slot_of(word.word);
        sites_[slot] = {word.payload[0], std::nullopt, numbers_.sites.number_of(word.payload[0])};
        holds_[slot] = {};
    }
    return nullptr;
}

char const* StreamDecoder::divide_work(Word const& word) {
    if (!thread_)
        return nullptr;
    std::uint32_t const stack = wire::stack_of(word.word);
    return word.flags() & wire::flag_switched
               ? shares_.add_rest(stack, cpu_.open())
               : shares_.add(stack, setting_.scale.duration_ns(word.payload[0]), word.payload[1]);
}

char const* StreamDecoder::begin_thread(Word const& word) {
    if (thread_)
        return "a thread begins in the middle of another one.";
    if (word.payload[0] > std::numeric_limits<std::uint32_t>::max() - 1)
        return "the recording holds an impossible thread number.";
    thread_.emplace();
    thread_->number = static_cast<std::uint32_t>(word.payload[0]);
    thread_->start_routine = word.payload[1];
    thread_->handle = word.payload[2];
    thread_->kernel_id = word.payload[3];
    cpu_ = {};
    switched_ = false;
    leaving_ = false;
    call_.reset();
    unread_waits_.clear();
    run_delay_ns_.reset();
    lock_ = 0;
    shares_.begin_thread();
    return add_event(word, *meaning_of(wire::Kind::thread_begin));
}

// Words that say something about a thread and are no event.
char const* StreamDecoder::describe_thread(Word const& word) {
    if (word.kind() == wire::Kind::thread_state) {
        thread_->start_words.assign(word.payload.begin(), word.payload.end());
    } else if (word.kind() == wire::Kind::set_name) {
        remarks_.names.push_back({now_ns_, word.payload[0], name_from(word.payload[1], word.payload[2])});
    } else if (word.kind() == wire::Kind::exec_failed && open_.back().kind == EventKind::exec) {
        open_.back().outcome = Outcome::failed;
        leaving_ = false;
    }
    return nullptr;
}

char const* StreamDecoder::add_event(Word const& word, RawMeaning const& meaning) {
    abandon_call();
    Event event;
    event.kind = meaning.event;
    event.wall_ns = now_ns_;
    event.cpu_ns = cpu_.take();
    if (ends_preempted_hold_) {
        std::int64_t const others_ns = preempted_part(event.cpu_ns);
        event.cpu_ns -= others_ns;
        cpu_.put_back(others_ns);
    }
    event.switched = switched_;
    event.outcome = outcome_of(word.flags());
    switched_ = false;
    if (char const* const problem = meaning.object ? find_object(word, *meaning.object, event) : nullptr)
        return problem;
    if (unsigned const slot = wire::site_slot_of(word.word); slot != 0) {
        if (sites_[slot].address == 0)
            return "an event refers to a call site that was never defined.";
        event.site = SiteId(sites_[slot].number);
    }
    fill_payload(word, meaning, event);
    append(event);
    if (word.kind() == wire::Kind::mutex_lock_unlock && word.flags() == 0) {
        unmeasured_site_ = wire::site_slot_of(word.word);
        unmeasured_.emplace();
        unmeasured_->kind = EventKind::unlock;
        unmeasured_->object = event.object;
        unmeasured_->site = holds_[unmeasured_site_].release_site();
        unmeasured_->unmeasured = true;
    }
    if (word.flags() & wire::flag_blocked) {
        call_ = meaning;
        at_arrival_ = cpu_;
    }
    leaving_ = leaving_ || meaning.event == EventKind::process_exit || meaning.event == EventKind::exec;
    if (meaning.event == EventKind::thread_end)
        end_thread();
    return nullptr;
}

// How much of a hold with a preemption in it is none of its own, by the other holds of that call site. Work
// that is divided among functions stays where it is.
std::int64_t StreamDecoder::preempted_part(std::int64_t hold_ns) const {
    auto const usual = holds_[wire::site_slot_of(lock_)].preempted_hold();
    if (!usual || wire::kind_of(last_word_) == wire::Kind::stack_time)
        return 0;
    std::int64_t const more_ns = hold_ns - setting_.scale.duration_ns(*usual);
    return more_ns > most_of_a_preemption_ns ? 0 : std::max<std::int64_t>(more_ns, 0);
}

void StreamDecoder::append(Event const& event) {
    open_.push_back(event);
    shares_.end_piece(static_cast<std::uint32_t>(handed_over_ + open_.size() - 1));
}

char const* StreamDecoder::find_object(Word const& word, ObjectKind kind, Event& event) {
    unsigned const number = wire::object_slot_of(word.word);
    if (number == 0)
        return nullptr;
    Slot& slot = objects_[number];
    if (slot.address == 0)
        return "an event refers to an object that was never defined.";
    if (slot.kind != kind) {
        std::uint64_t const address = kind == ObjectKind::descriptor ? slot.address - 1 : slot.address;
        slot.kind = kind;
        slot.number = numbers_.objects.number_of({address, kind});
    }
    event.object = ObjectId(slot.number);
    return nullptr;
}

void StreamDecoder::fill_payload(Word const& word, RawMeaning const& meaning, Event& event) {
    auto const& payload = word.payload;
    switch (meaning.payload) {
        case Payload::none: break;
        case Payload::value: event.value = signed_value(meaning, payload[0]); break;
        case Payload::mutex_and_value: event.value = signed_value(meaning, payload[1]); [[fallthrough]];
        case Payload::mutex:
            event.related = numbers_.objects.number_of({payload[0], ObjectKind::mutex});
            break;
        case Payload::handle_and_value: event.value = signed_value(meaning, payload[1]); [[fallthrough]];
        case Payload::handle: {
            // 0 is the caller itself.
            std::uint64_t const handle = payload[0] == 0 ? thread_->handle : payload[0];
            event.related = numbers_.handles.number_of(handle);
            break;
        }
        case Payload::child:
            if (event.outcome == Outcome::done && payload[0] < std::numeric_limits<std::uint32_t>::max())
                event.related = static_cast<std::uint32_t>(payload[0]);
            break;
    }
}

void StreamDecoder::close_call(std::int64_t result, std::uint64_t flags) {
    if (!call_)
        return;
    if ((flags & wire::flag_switched) && is_waiting()) {
        cpu_.leave_unread(at_arrival_);
        unread_waits_.push_back(handed_over_ + open_.size() - 1);
    }
    Event& event = open_.back();
    event.span_ns = event.kind == EventKind::yield ? 0 : now_ns_ - event.wall_ns;
    event.cpu_inside_ns = cpu_.take();
    event.blocked = has_waited(event.kind, switched_);
    if (auto const delay_ns = std::exchange(call_run_delay_ns_, std::nullopt); delay_ns && event.blocked) {
        auto const most = static_cast<std::uint64_t>(std::max<std::int64_t>(0, event.span_ns));
        set_run_delay(event, static_cast<std::int64_t>(std::min(*delay_ns, most)));
    }
    if (flags & (wire::flag_timed_out | wire::flag_failed))
        event.outcome = outcome_of(flags);
    if (call_->result_is_value)
        event.value = result;
    switched_ = false;
    call_.reset();
}

// The call did not return: the recording ends in it, or the thread was cancelled.
void StreamDecoder::abandon_call() {
    if (call_) {
        Event& event = open_.back();
        close_call(event.value, 0);
        event.outcome = Outcome::cut_off;
        event.blocked = has_waited(event.kind, true);
    }
}

void StreamDecoder::end_thread() {
    thread_->debt_ns = cpu_.debt();
    if (expected_debt_ns_)
        return_debt(thread_->debt_ns);
    has_ended_ = true;
}

// The last reading of the CPU clock has the last word: what was attributed beyond it is taken back from
// the latest segments.
void StreamDecoder::return_debt(std::int64_t debt_ns) {
    for (std::size_t i = open_.size(); debt_ns > 0 && i-- > 0;) {
        for (std::int64_t* const part : {&open_[i].cpu_inside_ns, &open_[i].cpu_ns}) {
            std::int64_t const returned = std::min(debt_ns, *part);
            *part -= returned;
            debt_ns -= returned;
        }
    }
}

void StreamDecoder::finish() {
    if (!thread_)
        return;
    add_unmeasured_release(ticks_ + setting_.brief_ticks, false);
    auto const final_clock = setting_.final_clocks.find(thread_->number);
    if (final_clock != setting_.final_clocks.end() && !leaving_)
        read_clock(final_clock->second, is_waiting() ? CpuAccount::Open::waited : CpuAccount::Open::switched);
    if (call_ && setting_.end_ns > now_ns_)
        now_ns_ = setting_.end_ns;  // it waited until the end; waiting is no CPU time
    abandon_call();
    if (open_.back().kind != EventKind::process_exit) {
        Event end;
        end.kind = EventKind::thread_end;
        end.wall_ns = std::max(now_ns_, setting_.end_ns);
        end.cpu_ns = cpu_.take();
        end.outcome = leaving_ ? Outcome::done : Outcome::cut_off;
        append(end);
    }
    end_thread();
}

}  // namespace parcast::trace
