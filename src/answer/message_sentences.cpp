#include "answer/message_sentences.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <string_view>
#include <utility>

#include "core/counted.h"
#include "core/percent_text.h"
#include "core/time_text.h"
#include "timeline/run_of_messages.h"

namespace parcast {

namespace {

constexpr double told_share = 0.05;       // of the time of all ranks
constexpr double doubtful_incast = 0.05;  // of the bytes
constexpr std::size_t most_stuck_ranks = 12;

double ratio_of(double part, double whole) {
    return whole > 0 ? part / whole : 0;
}

// What most of the waiting is for, most first. Empty where none is worth a sentence.
std::string waiting_sentence(Accounts const& accounts) {
    std::vector<std::pair<double, std::string_view>> told;
    for (std::size_t wait = 0; wait < accounts.objects.size(); ++wait) {
        auto const share = ratio_of(to_real(accounts.objects[wait].waiting).ns,
                                    to_real(accounts.completion).ns * accounts.cpus);
        if (share >= told_share)
            told.emplace_back(share, message_waits[wait].during);
    }
    std::ranges::stable_sort(told, std::greater(), [](auto const& each) { return each.first; });
    std::string text;
    for (auto const& [share, during] : told)
        text += (text.empty() ? "Ranks wait for " : "; for ") + percent_text(share) +
                (text.empty() ? " of the time " : " ") + std::string(during);
    return text.empty() ? text : text + ".";
}

std::string communicating_sentence(Accounts const& accounts) {
    auto const share =
        ratio_of(to_real(accounts.communicating).ns, to_real(accounts.completion).ns * accounts.cpus);
    return share < told_share
               ? std::string()
               : "Sending and receiving takes " + percent_text(share) + " of the processors' time.";
}

std::string network_sentence(Accounts const& accounts, MessageTimes const& times) {
    if (!times.ideal_network || accounts.completion <= Duration{0})
        return {};
    if (*times.ideal_network == Duration{0})
        return "No rank computes: all of it is communication.";
    auto const saved = 1 - to_real(*times.ideal_network).ns / to_real(accounts.completion).ns;
    return saved >= told_share ? "On a network where messages cost nothing it would take " +
                                     time_text(*times.ideal_network) + ", " + percent_text(saved) + " less."
                               : "The network hardly matters: without it, the program takes nearly as long.";
}

std::string incast_sentence(MessageTimes const& times) {
    return times.incast_share < doubtful_incast
               ? std::string()
               : "Doubtful: " + percent_text(times.incast_share) +
                     " of the bytes arrive while another rank's are under way to the same one. A real "
                     "network slows these; this model does not.";
}

std::string lost_sentence(MessageTimes const& times) {
    auto const lost = std::ranges::count(times.unmatched, false, &UnmatchedOperation::is_stuck);
    return lost == 0 ? std::string()
                     : std::to_string(lost) + (lost == 1 ? " message is" : " messages are") +
                           " sent and never received.";
}

std::string joined_sentences(std::vector<std::string> const& sentences) {
    std::string text;
    for (auto const& sentence : sentences)
        if (!sentence.empty())
            text += (text.empty() ? "" : " ") + sentence;
    return text;
}

// The rank that ends last, and what it does.
std::string last_rank_sentence(Accounts const& accounts) {
    auto const last = std::ranges::max_element(accounts.threads, {}, &ThreadAccount::ended);
    if (last == accounts.threads.end() || accounts.completion <= Duration{0})
        return {};
    auto const share = [&](ThreadState state) {
        return percent_text(ratio_of(to_real((*last)[state]).ns, to_real(accounts.completion).ns));
    };
    return "The last to end is " +
           reference(ThreadId(static_cast<std::size_t>(last - accounts.threads.begin()))) +
           ": it computes for " + share(ThreadState::running) + " of the time, sends and receives for " +
           share(ThreadState::communicating) + ", and waits for " + share(ThreadState::blocked) + ".";
}

RunSentences deadlock_sentences(Deadlock const& deadlock) {
    RunSentences sentences;
    sentences.limits.text =
        "The program deadlocks after " + time_text(deadlock.when - Instant{}) + ": " +
        counted(static_cast<std::int64_t>(deadlock.threads.size()), "rank") +
        (deadlock.threads.size() == 1 ? " waits for a message" : " wait for each other, or for messages") +
        " that nobody sends.";
    for (std::size_t i = 0; i < std::min(deadlock.threads.size(), most_stuck_ranks); ++i) {
        auto const& stuck = deadlock.threads[i];
        sentences.stuck.push_back(
            {reference(stuck.thread) + " waits for " +
             (stuck.awaited_thread.is_none() ? std::string("any rank") : reference(stuck.awaited_thread))});
    }
    return sentences;
}

}  // namespace

std::vector<std::string> message_sentences(Accounts const& accounts, MessageTimes const& times) {
    std::vector<std::string> sentences = {waiting_sentence(accounts), communicating_sentence(accounts),
                                          network_sentence(accounts, times), incast_sentence(times),
                                          lost_sentence(times)};
    std::erase_if(sentences, [](std::string const& sentence) { return sentence.empty(); });
    return sentences;
}

RunSentences message_run_sentences(Run const& run, MessageTimes const& times) {
    if (run.deadlock)
        return deadlock_sentences(*run.deadlock);
    auto const& accounts = run.accounts;
    auto limits = joined_sentences({waiting_sentence(accounts), communicating_sentence(accounts)});
    if (limits.empty())
        limits = "Messages take hardly any of the ranks' time.";
    return {{std::move(limits)},
            {joined_sentences({last_rank_sentence(accounts), incast_sentence(times), lost_sentence(times)})},
            {network_sentence(accounts, times)},
            {}};
}

}  // namespace parcast
