#include "cli/help.h"

#include <array>

#include "core/ensure.h"

namespace parcast::cli {

namespace {

constexpr std::array<std::string_view, 13> verb_names{
    "record",   "info",      "predict",  "view",    "report",  "export", "scale",
    "variance", "calibrate", "generate", "extract", "formula", "help"};

constexpr std::string_view overview_text =
    R"(parcast forecasts parallel programs: record a program on one CPU, replay it on N.

  parcast record -- pigz -p 8 -k big.tar     run a program on one CPU and write NAME.PID.parcast
  parcast info pigz.4711.parcast             its threads, locks and what is doubtful about the recording
  parcast predict pigz.4711.parcast          its time on 1 to 64 CPUs, and what limits it
  parcast view pigz.4711.parcast             the same in the browser, thread by thread, and anew as you ask
  parcast report pigz.4711.parcast           one HTML file to look at it, to replay it and to pass it on
  parcast export pigz.4711.parcast --cpus 8  the predicted execution for other tools: Perfetto and more
  parcast scale -- pigz -kf -p {cpus} big    a recording and a prediction for each number of CPUs
  parcast variance server.4711.parcast       how much input, output and sleeping spread its times
  parcast calibrate                          measures this machine once, for predictions about it
  parcast predict graph.json --schedule all  a program that is written down as a task graph, and its schedules
  parcast generate taskgraph polyroots       a task graph with the structure of a known program
  parcast extract pigz.4711.parcast          a recording as a task graph
  parcast formula model.pam                  a PAMELA model as a formula of its execution time

More: parcast help record, and the same for each verb; parcast --version.

Exit status: 0 done; 2 wrong command line; 3 an input is missing, unreadable or damaged; 4 the prediction
is impossible, the replay deadlocks; 5 a result could not be written; 6 the program that scale runs
failed; 70 a bug in parcast. record ends as the recorded program does: its status, 128 + signal, 124 time
limit, 125 not recorded, 126 not executable, 127 not found.
)";

constexpr std::string_view record_text = R"(Examples:
  parcast record -- pigz -p 8 -k big.tar
  parcast record -o eight.parcast --pretend-cpus 8 -- ./solver input.txt
  parcast record --time-limit 2m --max-size 500M -- ./server --threads 16

Usage: parcast record [-o FILE] [--pretend-cpus N] [--cpu K] [--time-limit TIME] [--max-size SIZE]
                      [--json] -- PROGRAM ARGS...

Runs a program on one CPU and records what its threads do: an unmodified, dynamically linked Linux
program, without privileges. Its output, signals and exit status stay its own.

  -o, --output FILE    the trace; otherwise NAME.PID.parcast in the working directory. Further processes
                       of the program get files of their own. An existing file is never overwritten.
  --pretend-cpus N     the program sees N CPUs while it runs on one, so that it makes the threads that
                       it would make there
  --cpu K              run on CPU K; otherwise the highest one allowed
  --time-limit TIME    end the program after TIME (30s, 2m, 1h) and keep what was recorded until then
  --max-size SIZE      record at most SIZE (500M, 2G) of each process, in memory, about 8 bytes an event;
                       the program goes on unrecorded. Otherwise what the machine can bear.
  --json               report as JSON, on standard error, since standard output is the program's
  -h, --help           this text

Exit status: the program's own; 128 + signal if one killed it; 124 its time limit ended it; 125 parcast
could not record; 126 the program is not executable; 127 it was not found. See also: parcast help predict.
)";

constexpr std::string_view info_text = R"(Examples:
  parcast info pigz.4711.parcast
  parcast info --findings pigz.4711.parcast
  parcast info --json pigz.4711.parcast | jq '.objects[0]'
  parcast info recordings/                   which recordings are in this folder

Usage: parcast info FILE|FOLDER [--findings] [--all] [--json]

Shows where a recording comes from, a row a thread, a row a synchronisation object, and what is wrong or
doubtful about it, the worst first.

  --findings    only what is wrong or doubtful, with places in the source
  --all         every row and whole names; otherwise long tables are cut
  --json        as docs/formats/info.schema.json describes
  -h, --help    this text

Exit status: 0 done; 2 wrong command line; 3 the recording is missing, unreadable or damaged; 5 the
result could not be written. See also: parcast help record, parcast help predict.
)";

constexpr std::string_view predict_text = R"(Examples:
  parcast predict pigz.4711.parcast
  parcast predict pigz.4711.parcast --cpus 1,2,4-16 --scheduler ideal
  parcast predict pigz.4711.parcast --cpus 8 --threads-table
  parcast predict graph.json --cpus 1-30 --schedule fifo,lpt,ps
  parcast predict loops.json --schedule all --set n=1024
  parcast predict mrm.pam --set N=1e6 --sweep P=1..500:log --per N
  parcast predict psrs.pam --set N=81920 --set P=8 --quantiles 5,50,99.9 --sensitivity

Usage: parcast predict FILE [--cpus LIST] [--scheduler ideal|linux] [--machine FILE] [--memory FILE]
                       [--model auto|direct|strict] [--tasks auto|recorded] [--threads-table]
                       [--assumptions] [--jobs N] [--json]
       parcast predict GRAPH [--cpus LIST] [--schedule LIST|all] [--set NAME=VALUE]... [--unit UNIT]
                       [--retire one|all] [--overhead TIME] [--memory FILE|lock|sequent] [--compare]
                       [--assumptions] [--jobs N] [--json]
       parcast predict MODEL.pam [--set NAME=VALUE]... [--sweep NAME=VALUES]... [--quantiles LIST]
                       [--method moments|simulate|both] [--runs N] [--precision PERCENT] [--seed N]
                       [--of NAME] [--per NAME] [--phases] [--sensitivity] [--plot FILE.svg]
                       [--assumptions] [--jobs N] [--json]

Replays a recording on each number of CPUs: completion time, speed-up against one CPU, its bounds by work
and critical path, efficiency, and where the rest of the processor time goes. Of a task graph (JSON of
docs/formats/taskgraph.md, a standard task graph, Graphviz, WfFormat): the same, under each schedule. Of a
model in the PAMELA language (docs/formats/pamela.md): mean, variance, skewness, kurtosis and quantiles of its
execution time, by formula or simulated, for each value of a parameter.

  --cpus LIST          counts and ranges, such as 1,2,4-16; otherwise those of the machine file, or
                       1,2,4,8,16,32,64
  --scheduler NAME     linux (default): a queue a CPU with fair shares, slices and wake-up costs;
                       ideal: processor sharing without costs
  --machine FILE       scheduler parameters, costs and rates in TOML, over those of --scheduler.
                       Without this option and --scheduler: what `parcast calibrate` measured on
                       this host, if it did. `default`: not that either
  --memory FILE        the memory that busy CPUs share, and how often the program accesses it, instead of
                       the machine's rates of it: docs/formats/memory.md; or a preset with accesses per us of
                       CPU time: ddr4-2-channels:4.5
  --model NAME         what a wait on a condition takes: direct: any wake-up; strict: the one that ended
                       it in the recording; auto (default): direct; if that deadlocks, strict for as
                       few conditions as it takes, or for all
  --tasks NAME         who runs a piece of work that the program hands out at run time: auto (default): the
                       thread that is free first; recorded: the one that got it on one CPU
  --threads-table      for each CPU count what every thread does
  --assumptions        what the replay takes for granted about this recording, in full
  --jobs N             replay N CPU counts at once; otherwise as many as this machine has CPUs
  --json               as docs/formats/predict.schema.json describes
  -h, --help           this text

For task graphs:
  --schedule LIST      fifo (default); lpt, lpt-estimate: the longest first, or what is believed to be;
                       list, critical-path: the lowest task first, or the longest way to the end; block,
                       cyclic: static; batch:N, guided; queues, queues-lpt: several with stealing; split:
                       loops between processors; pinned; ps, ps:N: processor sharing.
                       all: those that the graph says enough for to differ
  --set NAME=VALUE     the value of a parameter in the graph's formulas: --set n=1024 --set k=n/2
  --unit UNIT          ns (default), us, ms or s: what one unit of time is in STG and Graphviz
  --retire one|all     of tasks that end at the same instant: idle processors take tasks after each one
                       (default), or after all of them
  --overhead TIME      what a process pays each time that it takes from a queue that it shares: 2us; or
                       2us,3us,5us if one process is busy, if two are, and if more
  --memory NAME        what running tasks share and delay each other at: a file (docs/formats/memory.md), a
                       preset of one, lock (lock.rate, lock.hold_ns), or sequent, the bus of a Sequent
  --compare            what theories of random tasks say, beside the first schedule: Kruskal-Weiss,
                       Mak-Lundstrom, the Markov chain of Thomasian and Bay; and bounds of the speed-up

For models:
  --set NAME=VALUE     the value of a parameter, or another one than the text's: --set P=8 --set N=1e6
  --sweep NAME=VALUES  a point for each value: P=1,2,5 or P=1..64 or P=0..1:step=0.1 or P=0..1:points=11, or
                       P=1..1000:log (1, 2, 5, 10, ...) or P=1..1000:log=30; several: each with each
  --quantiles LIST     per cent of the runs that stay below, such as 5,50,99.9; otherwise 50,95,99
  --method NAME        moments (default): by formula; simulate: queueing included; both, side by side
  --runs N             of a simulation: so many, instead of until the mean is known precisely
  --precision PERCENT  half of the mean's 95 % confidence interval; otherwise 1 %
  --seed N             other random times; otherwise 1
  --of NAME            the process or equation that is predicted; otherwise main
  --per NAME           times divided by this parameter: of N turns, what one takes
  --phases             the parts of the top sequence, each bound by itself: a tighter bound
  --sensitivity        what each parameter does to mean and variance, the greatest first
  --plot FILE          a picture (SVG) of the mean and the band of 90 % of the runs, against what is swept

Exit status: 0 done; 2 wrong command line; 3 an input is missing, unreadable or damaged; 4 a replay
deadlocks; 5 the result could not be written. See also: parcast help info, parcast help generate.
)";

constexpr std::string_view view_text = R"(Examples:
  parcast view pigz.4711.parcast
  parcast view before.parcast --compare after.parcast
  parcast view pigz.4711.parcast --compare recorded --measured scale.json
  parcast view pigz.4711.parcast --no-browser --port 8420
  parcast view graph.json --cpus 8,16,24

Usage: parcast view FILE [--compare FILE|recorded] [--measured SCALE.json] [--port N] [--no-browser]
                    [--cpus LIST] [--no-source-text] [--scheduler ideal|linux] [--machine FILE]
                    [--memory FILE] [--model auto|direct|strict] [--tasks auto|recorded] [--jobs N]
                    [--json]
       parcast view GRAPH [--compare GRAPH] [--port N] [--no-browser] [--cpus LIST]
                    [--schedule LIST|all] [--set NAME=VALUE]... [--unit UNIT] [--retire one|all]
                    [--overhead TIME] [--memory NAME] [--jobs N] [--json]

Shows a recording in the browser: the prediction, and what each thread does over time on any number of CPUs,
replayed as you ask. Answers this machine only, under an address that holds a secret, until Ctrl-C. Of a task
graph: which CPU runs which task, under each schedule.

  --compare FILE       a second recording beside it, on one scale
  --compare recorded   what was recorded on one CPU beside the prediction
  --measured SCALE.json
                       measured speed-ups in the chart: of parcast scale --json --measure -- PROGRAM
  --port N             otherwise the first free one from 8420 up
  --no-browser         only print the address. A browser is opened where there is a display
  --cpus LIST          counts and ranges to predict at first, such as 1,2,4-16; otherwise as for predict
  --no-source-text     do not read source files around the places of the recording
  --scheduler, --machine, --memory, --model, --tasks, --jobs
                       as for predict; --jobs also for replays that are asked for at once
  --schedule, --set, --unit, --retire, --overhead
                       of task graphs, as for predict; without --schedule all schedules that the graph says
                       enough for can be chosen
  --json               the address, as docs/formats/view-address.schema.json describes
  -h, --help           this text

On another machine: ssh -L 8420:127.0.0.1:8420 HOST, with the port that is printed, and the same address
in the browser there.

Exit status: 0 ended by Ctrl-C; 2 wrong command line; 3 an input is missing, unreadable or damaged; 5 no
port is free, or the address could not be written. See also: parcast help report.
)";

constexpr std::string_view report_text = R"(Examples:
  parcast report pigz.4711.parcast
  parcast report pigz.4711.parcast -o pigz.html --cpus 1,2,4-16
  parcast report pigz.4711.parcast --no-source-text --force
  parcast report graph.json -o graph.html --cpus 1-16 --schedule fifo,lpt,block
  parcast report mrm.pam --set N=1000 --sweep P=1..500:log --per N --method both

Usage: parcast report FILE [-o FILE] [--cpus LIST] [--measured SCALE.json] [--no-source-text] [--force]
                      [--scheduler ideal|linux] [--machine FILE] [--memory FILE]
                      [--model auto|direct|strict] [--tasks auto|recorded] [--jobs N] [--json]
       parcast report GRAPH [-o FILE] [--cpus LIST] [--schedule LIST|all] [--set NAME=VALUE]...
                      [--unit UNIT] [--retire one|all] [--overhead TIME] [--memory NAME] [--force]
                      [--jobs N] [--json]
       parcast report MODEL.pam [-o FILE] [--set NAME=VALUE]... [--sweep NAME=VALUES]... [--quantiles LIST]
                      [--method moments|simulate|both] [--runs N] [--precision PERCENT] [--seed N]
                      [--of NAME] [--per NAME] [--phases] [--sensitivity] [--force] [--jobs N] [--json]

Writes one HTML file that opens from disk in any current browser, without a network and without parcast: the
prediction, its executions as a timeline, and the simulator itself, so that whoever gets the file can choose
other CPU counts and another scheduler. That of a task graph has the schedules and counts that it was written
for, and no others. That of a model in the PAMELA language has the picture of a sweep, the table of its points,
the formulas and the text of the model.

  -o, --output FILE    the report; otherwise NAME.html in the working directory; -: standard output
  --cpus LIST          counts and ranges to predict, such as 1,2,4-16; otherwise as for predict
  --measured SCALE.json
                       measured speed-ups in the chart: of parcast scale --json --measure -- PROGRAM
  --no-source-text     no source lines around the places of the recording. Otherwise they are part of the
                       file, where they can be read
  --force              replace an existing file
  --scheduler, --machine, --memory, --model, --tasks, --jobs
                       as for predict
  --schedule, --set, --unit, --retire, --overhead
                       of task graphs, as for predict; without --schedule: fifo,lpt,critical-path
  --set, --sweep, --quantiles, --method, --runs, --precision, --seed, --of, --per, --phases, --sensitivity
                       of models, as for predict; the picture is against what is swept
  --json               what was written, as docs/formats/report.schema.json describes
  -h, --help           this text

Exit status: 0 done; 2 wrong command line; 3 an input is missing, unreadable or damaged; 4 a replay
deadlocks, which the report shows; 5 the report could not be written. See also: parcast help predict.
)";

constexpr std::string_view export_text = R"(Examples:
  parcast export pigz.4711.parcast --cpus 8
  parcast export pigz.4711.parcast --recorded --events -o measured.pftrace
  parcast export pigz.4711.parcast --cpus 8 --format csv -o - | column -s, -t | less -S
  parcast export graph.json --cpus 24 --schedule lpt

Usage: parcast export FILE --cpus N|--recorded [--format perfetto|chrome|paraver|csv] [-o FILE]
                      [--force] [--events]
                      [--scheduler ideal|linux] [--machine FILE] [--memory FILE]
                      [--model auto|direct|strict] [--tasks auto|recorded] [--jobs N] [--json]
       parcast export GRAPH --cpus N [--schedule NAME] [--memory NAME] [--retire one|all] [--overhead TIME]
                      [--set NAME=VALUE] [--unit UNIT] [--format perfetto|chrome|paraver|csv]
                      [-o FILE] [--force] [--json]

Writes an execution for other tools: what every thread does when, on which CPU, what it waits for and who
ends its waiting. The execution is the one that predict predicts, or the recorded one. Of a task graph it is
the schedule, with a thread for each task.

  --cpus N             the prediction for N CPUs
  --recorded           what was measured on one CPU, not a prediction
  --format NAME        perfetto (default): for https://ui.perfetto.dev and trace_processor
                       chrome: JSON for speedscope, Perfetto and chrome://tracing
                       paraver: three files for Paraver, NAME.prv, NAME.pcf, NAME.row
                       csv: a table of the intervals, or with --events of the operations
  -o, --output FILE    where to; - for standard output; otherwise NAME.PID.8cpus.ENDING in the working
                       directory
  --force              replace an existing file
  --events             every operation as well: each lock, wait, signal, create, ...
  --scheduler, --machine, --memory, --model, --tasks, --jobs, --schedule, --retire, --overhead, --set, --unit
                       as for predict
  --json               what was written, as docs/formats/export.schema.json describes
  -h, --help           this text

Exit status: 0 done; 2 wrong command line; 3 an input is missing, unreadable or damaged; 4 the replay
deadlocks, and what was written goes up to there; 5 a file could not be written. See also: parcast help
predict.
)";

constexpr std::string_view calibrate_text = R"(Examples:
  parcast calibrate
  parcast calibrate -o build7.toml
  parcast calibrate --dry-run --seconds 5

Usage: parcast calibrate [-o FILE] [--seconds N] [--dry-run] [--json]

Measures this machine: what switches, wake-ups, locks and threads cost, and how much slower CPUs are when
all of them are busy. Needs no privileges and a machine that is otherwise quiet. Writes a machine file,
which predict uses.

  -o, --output FILE    the machine file; otherwise that of this host, which predict uses from then on:
                       ${XDG_CONFIG_HOME:-~/.config}/parcast/machines/HOSTNAME.toml. A former file is
                       kept as FILE~.
  --seconds N          how long it may measure; otherwise 20. More CPUs need more to reach the same spread.
  --dry-run            measures and says, writes no file
  --json               as docs/formats/calibrate.schema.json describes
  -h, --help           this text

Exit status: 0 done; 2 wrong command line; 3 others disturbed the measurement, and the host's file stays as
it is; 5 the machine file or the result could not be written. See also: parcast help predict.
)";

constexpr std::string_view scale_text = R"(Examples:
  parcast scale -- ./solver --threads={cpus} input.txt
  parcast scale --cpus 1,2 --measure -- pigz -kf -p {cpus} big.tar
  parcast scale --cpus 2,8 --before 'rm -rf out' --keep recordings -- ./tool -j {cpus} -o out

Usage: parcast scale [--cpus LIST] [--measure] [--runs N] [--no-bare-runs]
                     [--before COMMAND] [--keep FOLDER] [--time-limit SECONDS] [--scheduler ideal|linux]
                     [--machine FILE] [--memory FILE] [--model auto|direct|strict]
                     [--tasks auto|recorded] [--jobs N] [--json] -- PROGRAM ARGS...

For programs that make a thread for each CPU: records the program once for each number of CPUs, on one
CPU that pretends to be as many, and predicts each recording on its number. {cpus} in an argument stands
for the number. What the program prints is thrown away.

  --cpus LIST          counts and ranges, such as 1,2,4-16; otherwise 1,2,4,8
  --measure            also run the program unrecorded, on as many CPUs as there really are, and compare
  --runs N             runs of each measurement, 5 unless told otherwise; more if they are unsteady
  --no-bare-runs       do not run it unrecorded on one CPU, to see what turns there, and events, cost
  --before COMMAND     a shell command before each run, to clean up after the one before; {cpus} as above
  --keep FOLDER        keep the recordings there, as NAME.COUNT.parcast
  --time-limit SECONDS of each run, recorded or not, 600 unless told otherwise
  --scheduler, --machine, --memory, --model, --tasks, --jobs
                       as for predict
  --json               as docs/formats/scale.schema.json describes
  -h, --help           this text

Exit status: 0 done; 2 wrong command line; 3 an input is missing or damaged; 4 a replay deadlocks; 5 a
result could not be written; 6 a run of the program failed; 125 it could not be recorded; 126 it is not
executable; 127 it was not found. See also: parcast help predict.
)";

constexpr std::string_view generate_text = R"(Examples:
  parcast generate taskgraph polyroots --size 30 -o p.json
  parcast generate taskgraph psim --size 4096 --seed 7
  parcast generate taskgraph dynprog -o - | jq '.groups | length'

Usage: parcast generate taskgraph mp3d|psim|locusroute|polyroots|dynprog [--size N] [--seed N] [-o FILE]
                        [--force] [--json]

Writes a task graph with the structure of one of the five programs of Adve (1993), for predict:

  mp3d           iterative fork-join: five loops, one with over 90 % of the work (size: particles)
  psim           two phases of six loops, processors split between them (size: nodes of the network)
  locusroute     two dynamic phases with skewed tasks in 16 regions (size: wires)
  polyroots      irregular, not series-parallel, a last loop of large tasks (size: degree)
  dynprog        a pipelined wavefront, its rows pinned to processes (size: length)

  --size N             otherwise that of the smaller input of the thesis
  --seed N             task times vary by it; otherwise 1. Equal seeds give equal graphs
  -o, --output FILE    where to; - for standard output; otherwise STRUCTURE-SIZE.json in the working directory
  --force              replace an existing file
  --json               what was written, as docs/formats/generate.schema.json describes
  -h, --help           this text

Exit status: 0 done; 2 wrong command line; 5 the file could not be written. See also: parcast help predict.
)";

constexpr std::string_view formula_text = R"(Examples:
  parcast formula mrm.pam --parameter P,N
  parcast formula psrs.pam --set t_m=0 --phases
  parcast formula psrs.pam --set N=81920 --python > psrs.py

Usage: parcast formula MODEL.pam [--set NAME=NUMBER]... [--parameter NAME,...] [--of NAME | --all]
                       [--phases] [--unsimplified] [--all-digits] [--latex | --python | --json]

Prints the formulas of a PAMELA model's execution time, as a model again. Of the process main:

  phi_main             its critical path, without waiting for resources
  delta_main           the work that each resource gets, a vector
  omega_main           the longest time that a contended resource is busy
  T_main               the greater of phi and omega, a lower bound

Parameters stay symbolic. n * X is the sum of n independent X; scale(c, X) and X / c scale one.

  --set NAME=NUMBER    another value for a parameter or an equation without formal parameters
  --parameter NAME,... equations with a number that stay symbolic, as numeric parameters do
  --of NAME            another process, or a numeric equation; --all: every process
  --phases             the formulas of each part of the sequence at the top, and their sum: a higher bound
  --unsimplified       as composed, before any rule was applied
  --all-digits         as many digits as a number has, otherwise ten
  --latex, --python    the formulas for a text; as functions that need nothing else, and raise
                       NotImplementedError for the maximum of random times
  --json               as docs/formats/formula.schema.json describes
  -h, --help           this text

Exit status: 0 done; 2 wrong command line; 3 the model is missing or has errors; 5 the result could not be
written. See also: parcast help predict.
)";

constexpr std::string_view variance_text = R"(Examples:
  parcast variance --cpu-time 7700 --processing 236.9,2 --delay 12,1.68
  parcast variance server.4711.parcast
  parcast variance run1.parcast run2.parcast run3.parcast

Usage: parcast variance FILE... [--all] [--confidence PERCENT] [--json]
       parcast variance --cpu-time D --processing MEAN,CV --delay MEAN,CV [--confidence PERCENT] [--json]

How much random delays spread the time that a process takes between two synchronisations: its mean and its
coefficient of variation (CV: deviation by mean), by the renewal model of Adve (1993). The parameters are
measured in recordings (input, output and sleeping are the delays), or given in any one unit.

  FILE...              recordings; of several, also how much their times differ
  --cpu-time D         CPU time between two synchronisations
  --processing M,CV    pieces of CPU time between delays: mean and CV; without CV it is 1 (exponential)
  --delay M,CV         the delays
  --confidence PERCENT of the times lie in the band that is printed, if they are normal; otherwise 95
  --all                every thread; otherwise the twenty that are delayed most
  --json               as docs/formats/variance.schema.json describes
  -h, --help           this text

Exit status: 0 done; 2 wrong command line; 3 a recording is missing or damaged, or has no delays; 5 the
result could not be written. See also: parcast help predict.
)";

constexpr std::string_view extract_text = R"(Examples:
  parcast extract pigz.4711.parcast -o pigz.json
  parcast extract pigz.4711.parcast -o - | jq '.groups | length'
  parcast extract p.json --condense 8 -o p8.json
  parcast extract radix_sort.4711.parcast -o radix_sort.pam

Usage: parcast extract FILE [-o FILE] [--condense P [--schedule NAME]] [--closest] [--force] [--json]

Writes a recording as a task graph (docs/formats/taskgraph.md), for predict: what a thread does between two
synchronisations is a task; creations, joins, barriers, conditions and semaphores are precedences. Locks are
none: they stay as parameters of resource use, and the assumptions say so. Of a task graph: the same again.

With -o NAME.pam as a model in the PAMELA language: what repeats itself is a loop over a parameter, its segments
one time with measured moments, so that the recording becomes a formula. For series-parallel graphs.

  -o, --output FILE    where to; - for standard output; otherwise NAME.taskgraph.json in the working directory
  --condense P         the condensed graph of P processes: what each does between two synchronisations is one
                       task
  --schedule NAME      which process does what then: block, cyclic, split or pinned; otherwise pinned if the
                       tasks are, as those of a recording, or block
  --closest            a model of what is not series-parallel too: the closest structure, in which more waits
                       for each other
  --force              replace an existing file
  --json               what was written, as docs/formats/extract.schema.json describes
  -h, --help           this text

Exit status: 0 done; 2 wrong command line; 3 the input is missing, unreadable or damaged; 4 there is no task
graph: without its locks the program does not end; or no model: it is not series-parallel; 5 the file could not
be written. See also: parcast help predict.
)";

constexpr std::string_view help_text = R"(Examples:
  parcast help
  parcast help predict

Usage: parcast help [VERB]

Shows what parcast does, or one of its verbs: record, info, predict, view, report,
export, scale, variance, calibrate, generate, extract, formula.

  -h, --help    this text
)";

}  // namespace

std::span<std::string_view const> verbs() {
    return verb_names;
}

std::string_view overview() {
    return overview_text;
}

std::string_view help_of(std::string_view verb) {
    static constexpr std::array<std::string_view, verb_names.size()> texts{
        record_text,   info_text,      predict_text,  view_text,    report_text,  export_text, scale_text,
        variance_text, calibrate_text, generate_text, extract_text, formula_text, help_text};
    for (std::size_t i = 0; i < verb_names.size(); ++i)
        if (verb_names[i] == verb)
            return texts[i];
    ensure(false, "help is asked for a verb that exists");
    return {};
}

}  // namespace parcast::cli
