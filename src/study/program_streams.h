// The standard streams of a program that is run for its time and not for its output: nothing to read, output
// thrown away, messages kept until the next run in case that it fails.

#pragma once

#include <string>

namespace parcast::study {

class ProgramStreams {
public:
    ProgramStreams();
    ProgramStreams(ProgramStreams const&) = delete;
    ProgramStreams& operator=(ProgramStreams const&) = delete;
    ~ProgramStreams();

    int nothing() const { return nothing_; }  // to read from and to write to
    int messages() const { return messages_; }

    // Before a run: forgets the messages of the run before.
    void clear() const;

    // The last lines of what was said since, in one: "first · second". Empty if nothing was.
    std::string last_words() const;

private:
    int nothing_;
    int messages_;
};

}  // namespace parcast::study
