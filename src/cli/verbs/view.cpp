// parcast view FILE: a page in the browser that shows a prediction, and replays it as one asks.

#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include <unistd.h>
#include <nlohmann/json.hpp>

#include "cli/exit_status.h"
#include "cli/files/files.h"
#include "cli/files/inputs.h"
#include "cli/input.h"
#include "cli/options/option_values.h"
#include "cli/options/prediction_options.h"
#include "cli/options/target_machine.h"
#include "cli/progress.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "cli/verbs/model_report.h"
#include "cli/verbs/page_arguments.h"
#include "cli/verbs/page_report.h"
#include "cli/verbs/signature.h"
#include "cli/version.h"
#include "measure/host_description.h"
#include "page/browser.h"
#include "page/content.h"
#include "page/server.h"
#include "pages/prepared_answers.h"
#include "pages/report_elements.h"
#include "report/json/envelope.h"
#include "view/recorded.h"

namespace parcast::cli {

namespace {

inline constexpr char const* compared_with_recorded = "recorded";  // of --compare

struct ViewArguments {
    PageArguments page;
    // A second recording, replayed in the same way; or what was recorded on one CPU.
    std::optional<std::string> compare;
    std::optional<pages::EditorCommand> editor;
    std::optional<std::uint16_t> port;  // absent: the first free one from 8420 up
    bool browser = true;                // open one, where there is a display
    bool json = false;

    friend bool operator==(ViewArguments const&, ViewArguments const&) = default;
};

constexpr std::string_view second = "b/";  // where the page finds what it compares with

using Answers = std::unique_ptr<pages::PreparedAnswers>;

// Small programs are replayed by then, and their page opens with all answers.
constexpr std::chrono::milliseconds patience{250};
// So long the page can still ask what went wrong.
constexpr std::chrono::seconds farewell{1};

bool has_second_program(ViewArguments const& arguments) {
    return arguments.compare && *arguments.compare != compared_with_recorded;
}

// The events of a recording are not kept while its program is replayed: they are read again.
Result<view::Bytes> recorded_bytes(std::string const& file) {
    auto const recorded = load_recording(file);
    return recorded ? Result<view::Bytes>(view::recorded_execution_bytes(*recorded))
                    : Result<view::Bytes>(pass_on(recorded));
}

// What the page shows while nothing was replayed: all but the forecast.
pages::PageContent begun_content(PageArguments const& page) {
    return {{}, {scheduler_words.begin(), scheduler_words.end()}, {}, page.source_text, read_text, version};
}

pages::PreparedAnswers::Forecasting forecasting(Input input, PageArguments page) {
    auto const lent = std::make_shared<Input>(std::move(input));
    return [lent, page = std::move(page)](RunListener const& listener) mutable {
        bool const has_usual_schedules = page.replay.question.schedule.schedules.empty();
        page.replay.question.listener = listener;
        auto content = page_content(std::move(*lent), page);
        if (content && has_usual_schedules)
            content->schedulers = pages::possible_schedulers(content->forecast);
        return content;
    };
}

// An input that was read, before its forecast.
struct ReadInput {
    pages::PreparedAnswers::Setup setup;
    pages::PreparedAnswers::Forecasting forecasting;
};

// Errors: those of reading the input and the machine.
Result<ReadInput> read_input(PageArguments const& page, GivenOptions const& given,
                             pages::PageAnswers::Options options) {
    auto input = open_input(page.replay, given);
    if (!input)
        return pass_on(input);
    auto const form = input->form();
    auto const machine = target_machine(page.replay, form);
    if (!machine)
        return pass_on(machine);
    options.workers = workers(page.replay);
    pages::PreparedAnswers::Setup setup{std::move(options), machine->cpus, {}};
    if (form == Form::recording) {
        setup.options.recorded = [file = page.replay.file] { return recorded_bytes(file); };
        setup.options.signature = [replay = page.replay] {
            return recording_signature_json(replay.file, replay);
        };
    }
    if (replayed_forms.has(form))
        setup.begun = begun_content(page);
    return ReadInput{std::move(setup), forecasting(std::move(*input), page)};
}

// The second input, if there is one.
Result<std::optional<ReadInput>> read_second_input(ViewArguments const& arguments,
                                                   GivenOptions const& given) {
    if (!has_second_program(arguments))
        return std::optional<ReadInput>();
    auto page = arguments.page;
    page.replay.file = *arguments.compare;
    page.measured.reset();
    auto read = read_input(page, given, {.compare = true, .editor = arguments.editor});
    return read ? Result<std::optional<ReadInput>>(std::move(*read)) : pass_on(read);
}

// What the page shows, as a file: the report of the same options, which shows that at first.
page::Answer report_of_view(PageArguments const& arguments, GivenOptions const& given,
                            page::Parameters const& parameters) {
    static std::mutex one_at_a_time;
    std::lock_guard const lock(one_at_a_time);
    auto input = open_input(arguments.replay, given);
    auto const view = parameters.find("view");
    auto const report =
        input ? report_of_runs(arguments, std::move(*input), view == parameters.end() ? "" : view->second)
              : Result<Report>(pass_on(input));
    if (!report)
        return {500, "text/plain; charset=utf-8",
                page::content_of("There is no report of this view: " + describe(report.error()) + ".")};
    return {200, "text/html; charset=utf-8", page::content_of(report->document)};
}

page::Answer answer(page::Question const& question, Answers const& first, Answers const& compared) {
    if (question.path.empty())
        return {200, "text/html; charset=utf-8", page::content_of(page::template_page())};
    if (compared && question.path.starts_with(second))
        return compared->answer(question.path.substr(second.size()), question.parameters);
    return first->answer(question.path, question.parameters);
}

// What the page shows at first stands behind '#', as in every link to a view.
std::string address_of(ViewArguments const& arguments, page::Server const& server) {
    bool const is_with_recorded = arguments.compare && !has_second_program(arguments);
    return server.address() + (is_with_recorded ? "#compare=a.1.recorded" : "");
}

std::string address_json(ViewArguments const& arguments, page::Server const& server) {
    nlohmann::ordered_json json{{"schema", "parcast.view-address/1"},       {"parcast", version},
                                {"file", arguments.page.replay.file},       {"compared", nullptr},
                                {"address", address_of(arguments, server)}, {"port", server.port()}};
    if (arguments.compare)
        json["compared"] = *arguments.compare;
    return report::to_text(json);
}

int print_address(ViewArguments const& arguments, page::Server const& server) {
    if (arguments.json)
        return print_result(address_json(arguments, server));
    std::string const address = address_of(arguments, server);
    std::string text = address + "\n";
    bool const is_open = arguments.browser && page::open_browser(address);
    if (!is_open) {
        std::string const port = std::to_string(server.port());
        text += "Open it in a browser here, or on another machine after: ssh -L " + port +
                ":127.0.0.1:" + port + " " + measure::host_name() + "\n";
    }
    return print_result(text + "Ctrl-C ends it.\n");
}

// The signals by which one ends a program. Threads that are made from then on leave them to
// wait_for_the_end().
sigset_t block_ending_signals() {
    sigset_t ending;
    sigemptyset(&ending);
    for (int const signal : {SIGINT, SIGTERM, SIGHUP})
        sigaddset(&ending, signal);
    pthread_sigmask(SIG_BLOCK, &ending, nullptr);
    return ending;
}

// How the forecasts of a page ended, as far as they have.
class Outcome {
public:
    // Prints it, and wakes wait_for_the_end() after a failure.
    void tell(Result<pages::PageContent> const& content) {
        if (content && has_deadlock(content->forecast.answer))
            print_warning(impossible(content->forecast.answer).message);
        if (content)
            return;
        {
            std::lock_guard const lock(mutex_);
            if (error_)
                return;
            error_ = content.error();
        }
        kill(getpid(), SIGTERM);
    }

    std::optional<Error> error() const {
        std::lock_guard const lock(mutex_);
        return error_;
    }

private:
    mutable std::mutex mutex_;
    std::optional<Error> error_;
};

// There is nothing to write that anybody still wants: neither replays nor answers that are on their way are
// waited for.
[[noreturn]] void end_at_once(int status) {
    std::quick_exit(status);
}

// One document at the address, and what else its page asks for.
int serve_document(ViewArguments const& arguments, std::string const& text,
                   page::Server::Respond const& respond) {
    auto const document = page::content_of(text);
    auto const ending = block_ending_signals();
    auto server = page::Server::open(arguments.port, [&](page::Question const& question) {
        return question.path.empty() ? page::Answer{200, "text/html; charset=utf-8", document}
                                     : respond(question);
    });
    if (!server)
        return print_failure(
            with_code(ErrorCode::not_written, server.error(), "Choose another one with --port."));
    server->start();
    int const status = print_address(arguments, *server);
    int signal = 0;
    if (status == exit_success)
        sigwait(&ending, &signal);
    end_at_once(status);
}

// A folder holds a series of recordings, whose signature is one document.
int view_series(ViewArguments const& arguments, GivenOptions const& given) {
    auto asked = series_in_folder(arguments.page);
    asked.series.compare = arguments.compare;
    auto const signature = series_answer(asked, given);
    if (!signature)
        return print_failure(signature.error());
    return serve_document(arguments,
                          pages::signature_page(*signature, pages::signature_element(*signature, version)),
                          [](page::Question const&) { return page::Answer{}; });
}

// A model is one document as well, which asks for simulations.
int view_model(ViewArguments const& arguments, GivenOptions const& given) {
    auto const& asked = arguments.page.replay;
    auto input = open_input(asked, given);
    auto const report =
        input ? report_of_model(asked, std::move(*input), PageHost::server) : Result<Report>(pass_on(input));
    if (!report)
        return print_failure(report.error());
    return serve_document(arguments, report->document, [&asked](page::Question const& question) {
        if (question.path != "simulated.json")
            return page::Answer{};
        static std::mutex one_at_a_time;  // it takes all CPUs
        std::lock_guard const lock(one_at_a_time);
        auto const json = simulated_json(asked, question.parameters);
        if (!json)
            return page::Answer{422, "text/plain; charset=utf-8",
                                page::content_of(describe(json.error()) + ".")};
        return page::Answer{200, "application/json", page::content_of(*json)};
    });
}

int view(ViewArguments arguments, GivenOptions const& given) {
    arguments.page.replay.as_on_every_host =
        has_second_program(arguments);  // programs are compared, not hosts
    if (is_folder(arguments.page.replay.file))
        return view_series(arguments, given);
    if (auto const checked = check_series_options(arguments.page.replay.file, given); !checked)
        return print_failure(checked.error());
    if (form_of(arguments.page.replay.file) == Form::model)
        return view_model(arguments, given);
    Progress progress;
    progress.say("reading " + arguments.page.replay.file);
    auto read = read_input(arguments.page, given,
                           {.compare = has_second_program(arguments), .editor = arguments.editor});
    auto read_second =
        read ? read_second_input(arguments, given) : Result<std::optional<ReadInput>>(std::nullopt);
    progress.clear();
    if (!read || !read_second)
        return print_failure(read ? read_second.error() : read.error());

    auto const ending = block_ending_signals();
    Outcome outcome;
    auto const begin = [&outcome](ReadInput input) {
        auto const on_end = [&outcome](Result<pages::PageContent> const& content) { outcome.tell(content); };
        return std::make_unique<pages::PreparedAnswers>(std::move(input.setup), std::move(input.forecasting),
                                                        on_end);
    };
    Answers const first = begin(std::move(*read));
    Answers const compared = *read_second ? begin(std::move(**read_second)) : nullptr;
    auto server = page::Server::open(arguments.port, [&](page::Question const& question) {
        return question.path == "report.html" ? report_of_view(arguments.page, given, question.parameters)
                                              : answer(question, first, compared);
    });
    if (!server)
        end_at_once(print_failure(
            with_code(ErrorCode::not_written, server.error(), "Choose another one with --port.")));
    first->wait_for(patience);
    if (compared)
        compared->wait_for(patience);
    if (auto const error = outcome.error())
        end_at_once(print_failure(*error));
    server->start();
    int const status = print_address(arguments, *server);
    if (status != exit_success)
        end_at_once(status);
    int signal = 0;
    sigwait(&ending, &signal);
    if (auto const error = outcome.error()) {
        int const failure = print_failure(*error);
        std::this_thread::sleep_for(farewell);
        end_at_once(failure);
    }
    end_at_once(exit_success);
}

void describe_options(OptionTable& options, ViewArguments& arguments) {
    options.input("FILE", every_form, arguments.page.replay.file);
    options.section(forms_with_machines);
    options
        .option("--compare FILE", arguments.compare, any_text,
                "show a second input beside it, on one time scale; --compare recorded: the recorded "
                "execution beside the predicted one")
        .of(compared_with_recorded, {Form::recording})
        .completes({std::string(compared_with_recorded)});
    options.section(forms_with_runs);
    options.option("--cpus LIST", arguments.page.replay.cpus, parse_page_cpus,
                   "numbers of CPUs to predict at first, such as 1,2,4-16; default: as for predict");
    options.section(forms_with_machines);
    options
        .option("--editor COMMAND", arguments.editor, pages::parse_editor_command,
                "lets the page open places of the source in an editor on this machine, such as "
                "--editor 'code -g {file}:{line}'")
        .typed_only();
    options.section(every_form);
    options.option("--port N", arguments.port, number(std::uint16_t{1}, std::uint16_t{65535}),
                   "default: the first free one from 8420 up");
    options.flag("--no-browser", arguments.browser,
                 "only print the address; default: open a browser where there is a display", false);
    options.flag("--json", arguments.json,
                 "print the address as JSON: docs/formats/view-address.schema.json");
    describe_jobs(options, arguments.page.replay);
    describe_replay(options, arguments.page.replay);
    describe_page_of_recording(options, arguments.page.measured, arguments.page.source_text);
    describe_series_question(options, arguments.page.series);
    describe_task_graph(options, arguments.page.replay);
    describe_messages(options, arguments.page.replay);
    describe_steps(options, arguments.page.replay);
    describe_model(options, arguments.page.replay.question.sweep);
}

}  // namespace

Verb const view_verb{
    .name = "view",
    .example = "view pigz.4711.parcast",
    .summary = "the same in the browser, thread by thread",
    .examples = R"(
  parcast view pigz.4711.parcast
  parcast view before.parcast --compare after.parcast
  parcast view pigz.4711.parcast --compare recorded --measured scale.json
  parcast view pigz.4711.parcast --no-browser --port 8420
  parcast view pigz.4711.parcast --editor 'code -g {file}:{line}'
  parcast view graph.json --cpus 8,16,24
  parcast view app.goal --network infiniband-qdr
  parcast view runs/
  parcast view mrm.pam --sweep P=1..500:log --per N
)",
    .description = R"(
Shows a prediction in the browser: what each thread does over time on any number of CPUs, replayed
as you choose; for a task graph, which CPU runs which task under each schedule; for a program that sends
messages, what each rank does and waits for, and its messages. For a model it shows its parameters as
sliders, its formulas and what they give, and simulates on demand. For a folder of recordings, one for
each number of threads, it shows their signature, as report does.

The page is served to this machine only, under an address that contains a secret, until Ctrl-C. From
another machine: ssh -L 8420:127.0.0.1:8420 HOST with the port that is printed, and the same address.
)",
    .exit_status =
        "3 an input is missing, unreadable or damaged; 5 no port is free, or the address could not be "
        "written",
    .see_also = "report predict",
    .prepare = prepared<ViewArguments, describe_options, view>,
};

}  // namespace parcast::cli
