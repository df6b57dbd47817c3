// Writes down what happens in a message replay and why it could not happen earlier, and reads the critical
// path from that at the end. MessageSilence is the same without doing anything, for replays that need totals
// only.

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "simulate/messages/message_events.h"
#include "timeline/message_run.h"

namespace parcast::simulate {

class MessageLogger {
public:
    static constexpr bool is_on = true;

    MessageLogger(std::uint32_t ranks, std::uint32_t places)
        : places_(places), last_(std::size_t{ranks} * places) {}

    // The last intervals of a rank's CPU and NIC with one number: on the CPU, and that held the NIC's port.
    struct Last {
        MessageCause on_cpu;
        MessageCause sending;
        MessageCause receiving;
    };
    Last& last(std::uint32_t rank, std::uint32_t place) { return last_[std::size_t{rank} * places_ + place]; }

    MessageCause add(MessageInterval const& interval, MessageCause cause) {
        log_.intervals.push_back(interval);
        causes_.push_back(cause);
        return {static_cast<std::uint32_t>(log_.intervals.size() - 1), MessageCause::What::interval};
    }
    // `send`: its interval.
    MessageCause add(MessageTransfer const& message, MessageCause send) {
        log_.messages.push_back(message);
        ends_.push_back({send, {}});
        return {static_cast<std::uint32_t>(log_.messages.size() - 1), MessageCause::What::message};
    }
    MessageTransfer& transfer(MessageCause message) { return log_.messages[message.number]; }
    // The interval in which the message is received.
    MessageCause& reception(MessageCause message) { return ends_[message.number].reception; }

    // Whose CPU ended a waiting: of a message its sender's. Nothing: the rank itself.
    struct Who {
        std::uint32_t rank = 0;
        std::uint8_t cpu = 0;
    };
    Who who(MessageCause cause, Who itself) const {
        switch (cause.what) {
            case MessageCause::What::nothing: return itself;
            case MessageCause::What::interval:
                return {log_.intervals[cause.number].rank, log_.intervals[cause.number].cpu};
            case MessageCause::What::message:
                return {log_.messages[cause.number].from, log_.messages[cause.number].cpu};
        }
        return itself;
    }

    // The log of a run that ended at `completion`.
    MessageLog finish(Duration completion);

private:
    std::vector<MessagePathSegment> critical_path(Duration completion) const;

    MessageLog log_;
    struct Ends {
        MessageCause send;
        MessageCause reception;
    };
    std::vector<MessageCause> causes_;  // by interval
    std::vector<Ends> ends_;            // by message
    std::uint32_t places_;
    std::vector<Last> last_;  // by rank, then place
};

struct MessageSilence {
    static constexpr bool is_on = false;
};

}  // namespace parcast::simulate
