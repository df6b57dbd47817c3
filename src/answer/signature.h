// What the events/threads model says about a series of recordings, one for each number of threads (Marinescu,
// Rice and Vavalis 1990): the dynamic analysis of each, the characteristic function g that the numbers of
// events follow, what an event costs, what that means for the speed-up, and which calls are the cause.
//
// In the words of the model a thread is active while it does the program's work, communicating while it
// spends CPU time on synchronisation, creation, input and output, and blocked otherwise.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "answer/finding.h"
#include "core/catalogue.h"
#include "core/moments.h"
#include "core/spread.h"
#include "core/time.h"

namespace parcast {

// A quantity over the threads that count; of events or reads, all threads' together.
struct OverThreads {
    double mean = 0;
    std::optional<double> ci95;  // half of the 95 % confidence interval of the mean; none: one thread
    double least = 0;
    double most = 0;
};

// Sums over the life of a thread, which for the model is that of the run: before it is created and after its
// end it is blocked.
struct ThreadSignature {
    ThreadId thread;
    std::string name;
    bool is_counted = true;   // in P
    bool is_in_means = true;  // of those in P, threads of one role: not an initial thread beside workers
    std::int64_t events = 0;  // kappa
    std::int64_t writes = 0;
    std::int64_t reads = 0;
    double data_bytes = 0;
    double active_ns = 0;
    double communicating_ns = 0;
    double algorithmic_ns = 0;     // blocked in reads until the write is issued
    double other_blocking_ns = 0;  // by locks, input and output, wake-ups, want of a CPU
    double outside_ns = 0;         // before its begin and after its end
    double writing_ns = 0;         // in writes
    double reading_ns = 0;         // in reads

    double alpha_ns() const { return events > 1 ? active_ns / static_cast<double>(events - 1) : 0; }
    double suspended_ns() const { return communicating_ns + algorithmic_ns + other_blocking_ns + outside_ns; }
    double beta_ns() const { return events > 0 ? suspended_ns() / static_cast<double>(events) : 0; }
};

// What scale --measure found: the program told to use one CPU, over this one on its CPUs.
struct SpeedUpMeasuredWith {
    std::uint32_t threads = 1;
    Spread speed_up;
};

// Calls of one place about one object, or objects of one name.
struct SignaturePlace {
    std::string object;    // "condition mailbox"; empty: no object
    std::string call;      // "condition wait"
    std::string function;  // empty: not known
    std::string file;
    std::uint32_t line = 0;
    std::int64_t events = 0;
};

// What threads wait for in the replay.
struct SignatureWait {
    std::string object;     // "mutex buffer_mutex (fetch, queue.c:32)"
    double waiting_ns = 0;  // of all threads
    bool is_lock = false;
};

struct SignatureStep {
    double begin_ns = 0;
    double active = 0;  // threads
    double communicating = 0;
    double blocked = 0;
};

struct SignatureMeans {
    OverThreads events;
    OverThreads active_ns;  // a thread's, in all
    OverThreads alpha_ns;
    OverThreads beta_ns;
    OverThreads communicating_ns;   // of an event
    OverThreads write_ns;           // of a write
    OverThreads read_ns;            // of a read
    OverThreads algorithmic_ns;     // of a read
    OverThreads other_blocking_ns;  // of a read
    OverThreads data_bytes;         // of a thread
    OverThreads event_bytes;        // of an event
    OverThreads active_share;       // of the time in which it is not blocked
    // In all, of a thread.
    OverThreads thread_writes;
    OverThreads thread_reads;
    OverThreads thread_communicating_ns;
    OverThreads thread_algorithmic_ns;
    OverThreads thread_other_ns;
    OverThreads thread_outside_ns;
};

struct RecordingSignature {
    std::string file;
    std::vector<std::string> command;
    std::vector<Finding> findings;
    Catalogue catalogue;  // names what the findings name
    bool is_cut_short = false;
    std::uint32_t threads = 0;  // P
    std::uint32_t cpus = 0;     // that it was replayed on
    std::string model;          // of replay
    std::string machine;
    std::int64_t events = 0;  // E, of all threads
    std::int64_t calls = 0;
    double time_ns = 0;  // T(P)
    double work_ns = 0;  // W(P): CPU time of all threads, active and communicating
    double active_ns = 0;
    double data_bytes = 0;
    std::vector<ThreadSignature> rows;  // by ThreadId
    std::vector<SignaturePlace> places;
    std::vector<SignatureStep> profile;
    std::vector<SignatureWait> waits;  // longest first, a few
    std::vector<std::string> notes;

    // From here on: by the series.
    SignatureMeans means;
    std::optional<double> gamma;
    double eta = 0;
    std::optional<double> approximate_eta;
    double formula_time_ns = 0;  // (3.38)
    // (3.39), P eta: the sum over all threads of the share of the run in which they are active. None: P is no
    // number of threads.
    std::optional<double> speed_up_bound;
    double nu = 0;  // mean number of threads that are not blocked
    double nu_active = 0;
    double imbalance = 0;  // Delta
    // Over the work of one thread; of a scaled series over the active work alone.
    std::optional<double> a;
    std::optional<double> b;
    std::optional<double> speed_up;  // T(1) / T(P) or W(1) / T(P); scaled: nu_active
    std::optional<double> theorem;   // that of the theorem, where nobody is blocked
    std::optional<double> amdahl;
    std::optional<double> gustafson;
    std::optional<double> universal;
    std::optional<Spread> measured;
    double fitted_events = 0;        // g(P)
    double event_cost_ns = 0;        // theta g(P), beyond the run with the fewest events
    double algorithmic_work_ns = 0;  // W_alg; negative: theta g(P) is more than the work that was added
    double event_interval_ns = 0;    // T P / E
};

struct SignatureCandidate {
    std::string name;
    std::string formula;
    std::vector<double> coefficients;
    std::optional<double> exponent;
    std::optional<ConfidenceInterval> exponent_95;
    double criterion = 0;
    double relative_error = 0;
    std::vector<double> residuals;
    bool is_chosen = false;
    bool is_as_good = false;
};

struct SignatureCharacteristic {
    std::string word;      // "linear"
    std::string sentence;  // what it means
    std::string formula;
    std::string growth;  // as the form that was chosen has it: "linear", "P log P", "P^1.26"
    std::optional<double> exponent;
    std::optional<ConfidenceInterval> exponent_95;
    bool few_counts = false;
    std::vector<SignatureCandidate> candidates;
};

struct SignatureRange {
    double from = 1;
    std::optional<double> to;
};

// What follows from g and alpha = W(1) / theta, if nobody is blocked.
struct SignatureOutlook {
    std::string refusal;           // why the theorem does not hold; empty: it does
    std::optional<double> p_smax;  // none: the speed-up rises for all P
    std::optional<double> s_max;
    std::optional<double> best_p;  // whole
    std::optional<double> inflection;
    std::optional<double> limit;         // of the speed-up
    std::optional<SignatureRange> flat;  // where W(P) / P is within 5 % of its least
    double least_b = 0;
    std::string sentence;  // for many threads
};

struct SignatureCause {
    SignaturePlace place;     // events: those of the largest P
    double growth_share = 0;  // of the events that came from the smallest P to the largest
    std::string growth;       // of its own events; empty: no function fits
    std::optional<double> exponent;
    std::string formula;
    std::vector<double> events;  // a recording each
};

// The objects of one name, with all calls about them.
struct SignatureObject {
    std::string object;
    SignaturePlace most;  // its place with most growth
    std::size_t places = 0;
    double growth_share = 0;
    std::string growth;  // as of a cause
    std::optional<double> exponent;
};

// The thread with most events (section 2.8).
struct BusiestCharacteristic {
    std::string name;  // of the largest P
    SignatureCharacteristic g;
    double most_over_mean = 1;  // events, at the largest P
    bool threads_differ = false;
};

// An initial thread that does something else than the others, such as to create them and to prepare their
// data. At the largest P; of the others on average.
struct InitialThread {
    std::string name;
    std::int64_t events = 0;
    double active_ns = 0;
    double events_of_others = 0;
    double active_of_others_ns = 0;
};

struct SignatureComparison {
    std::string folder;
    std::string program;              // of the other series
    std::uint32_t counted_up_to = 1;  // the largest P that both series have counts for
    std::uint32_t looked_up_to = 1;   // ranges end here, where nobody looked further
    std::string formula;
    std::string word;
    std::vector<SignatureRange> fewer;  // where this series has fewer events; without an end: to the last P
    std::vector<SignatureRange> more;
};

struct OtherLaws {
    double amdahl_serial = 0;
    double gustafson_serial = 0;
    std::optional<double> contention;  // of universal scalability, with the two behind it
    std::optional<double> coherency;
    std::optional<double> peak;
    std::optional<double> limit;
};

// The CPU time of an event that everything here is computed with.
enum class ThetaSource : std::uint8_t { series, machine };
struct SignatureTheta {
    double ns = 0;
    ThetaSource source = ThetaSource::series;
};

// The work of one thread, W(1), that alpha, b and speed-ups without a recording of one thread are made of.
struct WorkOfOne {
    double ns = 0;
    std::string meaning;  // "of the recording with P = 1"
};

struct SignatureAnswer {
    std::vector<RecordingSignature> recordings;  // by rising P
    std::vector<std::string> command;            // of all of them: "{cpus}" where they differ
    // P is the number of the threads that work. Otherwise it is a number in names: what takes it for threads
    // is withheld (a, b, (3.39), the theorem and the other laws).
    bool is_number_of_threads = true;
    std::optional<InitialThread> initial;  // none: it does what the others do, or is not in P
    double same_event_ns = 0;
    std::optional<SignatureCharacteristic> g;  // none: fewer than three counts
    // That of the series where it is surely above 0, else that of the machine; of a scaled series that of the
    // machine. None: neither is known.
    std::optional<SignatureTheta> theta;
    std::optional<double> series_theta_ns;  // none: the number of events never changes
    std::optional<ConfidenceInterval> series_theta_95;
    std::optional<double> machine_theta_ns;  // CPU time of an event in the replay of the largest P
    double conserved_ns = 0;                 // W_cons
    std::string conserved_meaning;           // which work that is; empty: not known, a guess
    std::optional<double> work_noise_ns;   // of a run: half of the 95 % interval about the line of the series
    std::optional<double> work_variation;  // of W_cc + W_alg (2.43)
    bool work_stays_constant = false;
    std::optional<WorkOfOne> work_of_one;
    std::optional<double> alpha;  // W(1) / theta
    std::optional<SignatureOutlook> outlook;
    std::optional<SignatureOutlook> scaled;
    std::optional<OtherLaws> other_laws;
    std::optional<BusiestCharacteristic> busiest;
    std::vector<SignatureCause> causes;    // most growth first
    std::vector<SignatureObject> objects;  // likewise
    bool has_one_thread = false;           // a recording of one thread, which speed-ups refer to
    bool is_scaled = false;                // the program's own work grows with P
    bool is_growth_unclear = false;        // its work grows, and threads or events may bring it; not scaled
    double work_exponent = 0;              // of that growth
    std::optional<SignatureComparison> comparison;
    std::vector<std::string> verdict;  // sentences
    std::vector<std::string> notes;
    std::vector<std::string> next;  // commands that say more
};

}  // namespace parcast
