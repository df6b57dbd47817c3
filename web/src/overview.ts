// Which program is this, and what was predicted for it? The document parcast.view/2 (docs/formats/view.schema.json).

import { State } from "./execution.ts";
import { networkName, type MessagesOverview } from "./networks.ts";
import { counted } from "./format.ts";
import type { TaskGroups } from "./task_groups.ts";
import { stateLabels } from "./theme/palette.ts";

export interface ThreadReference {
    readonly id: number;
    readonly text: string;
}

export interface PlaceFrame {
    readonly function: string | null;
    readonly file: string | null;
    readonly line: number | null;
}

export interface Place {
    readonly text: string;
    readonly module: string | null;
    readonly module_offset: number;
    readonly frames: readonly PlaceFrame[];
}

export interface ObjectReference {
    readonly id: number;
    readonly kind: string;
    readonly name: string | null;
    readonly text: string;
    readonly first_used: Place | null;
}

export interface PredictedLimit {
    readonly cause: string;
    readonly object: ObjectReference | null;
    readonly site: string | null;
    readonly share: number;
    readonly processor_time_ns: number;
}

export interface StuckThread {
    readonly thread: ThreadReference | null;
    readonly object: ObjectReference | null;
    readonly awaited_thread: ThreadReference | null;
    readonly holder: ThreadReference | null;
    readonly place: Place | null;
}

export interface Deadlock {
    readonly time_ns: number;
    readonly threads: readonly StuckThread[];
}

export interface SpeedUpBounds {
    readonly lower: number;
    readonly upper: number;
}

export interface Range {
    readonly low: number;
    readonly high: number;
}

// What nine of ten measurements should lie within.
export interface RowRange {
    readonly time_ns: Range;
    readonly speed_up: Range | null;
}

export interface PredictedCount {
    readonly cpus: number;
    readonly time_ns: number | null;
    readonly speed_up: number | null;
    readonly efficiency: number | null;
    readonly range?: RowRange | null; // of what is replayed
    readonly bounds: SpeedUpBounds | null;
    readonly bounds_note: string | null; // why the speed-up can lie outside of them, where it does
    readonly limits: readonly PredictedLimit[];
    readonly deadlock?: Deadlock;
}

export interface Finding {
    readonly kind: string;
    readonly severity: "note" | "warning";
    readonly message: string;
    readonly thread: ThreadReference | null;
    readonly place: Place | null;
}

// The answer of `parcast predict --json`; the page reads these members of it.
export interface PredictionAnswer {
    readonly schema: string;
    readonly input: { readonly file: string; readonly form: "recording" | "task_graph" | "threads" | "steps" | "messages"; readonly command?: readonly string[]; readonly working_directory?: string; readonly date?: string; readonly host?: string };
    // None of a program that was written down, as its command.
    readonly recorded?: {
        readonly cpu_time_ns: number;
        readonly threads: number;
        readonly pretended_cpus: number | null;
        readonly thread_count_word: number | null; // of the command; it ends with about the number of threads
        readonly events?: number;
    };
    readonly method?: { readonly model?: string; readonly paired_conditions?: readonly unknown[] };
    readonly machine: { readonly name: string; readonly scheduler: string; readonly notes: readonly string[] };
    readonly work_ns: number;
    readonly span_ns: number;
    readonly span_work_ns: number;
    readonly time_on_one_cpu_ns: number | null;
    readonly findings: readonly Finding[];
    readonly predictions: readonly PredictedCount[];
    readonly scaling: {
        readonly withheld: boolean; // nothing is concluded: the verdict says so
        readonly scales_to_cpus: number | null;
        readonly first_cpus_beyond: number | null;
        readonly verdict: readonly string[];
        readonly next_command: string | null;
    };
    readonly assumptions: readonly string[];
}

export interface MeasuredPoint {
    readonly cpus: number;
    readonly speed_up: number;
    readonly low: number;
    readonly high: number;
    readonly time_ns: number;
    readonly explanation: readonly string[];
    readonly over_predicted?: boolean; // the speed-up, of one run: over the predicted time on one CPU, which was not measured
}

export interface ThreadEntry {
    readonly name: string;
    readonly function: string;
    readonly parent: number | null;
    readonly start_site: number | null;
    readonly created_at: number | null;
}

export interface ObjectEntry {
    readonly kind: string;
    readonly name: string;
    readonly first_site: number | null;
}

export interface SiteEntry {
    readonly name: string;
    readonly file: string;
    readonly line: number;
    readonly function: string;
}

export interface ScheduleCurve {
    readonly schedule: string;
    readonly extent: string | null; // how far it scales
    readonly timeOnOne: number | null;
    readonly predictions: readonly PredictedCount[];
}

// What an Overview has beside, if it is that of a task graph.
export interface TaskGraphOverview {
    readonly groups: TaskGroups;
    readonly curves: readonly ScheduleCurve[]; // of the schedules that were predicted
    readonly averageParallelism: number;
    readonly mostParallelism: number;
    readonly contention: string | null;
}

// What is known of all bindings of threads to CPUs.
export interface BindingLimits {
    readonly cpus: number;
    readonly lower_bound_ns: number; // no binding takes less
    readonly lower_bound_by: string;
    readonly reachable_ns: number | null; // some binding surely takes no more
}

// What an Overview has beside, if it is that of a run that was measured.
export interface Measurement {
    readonly cpuNumbers: readonly number[]; // of the system, by CPU; of those that were not used there is none
}

export interface Overview {
    readonly schema: "parcast.view/2";
    readonly parcast: string;
    readonly title: string;
    readonly prediction: PredictionAnswer;
    readonly measured: readonly MeasuredPoint[];
    readonly bindings?: readonly BindingLimits[]; // of threads to CPUs; none: a replay deadlocks, or there are no threads
    readonly threads: readonly ThreadEntry[];
    readonly objects: readonly ObjectEntry[];
    readonly sites: readonly SiteEntry[];
    readonly schedulers: readonly string[];
    readonly scheduler: string;
    readonly cpus: readonly number[];
    readonly max_cpus: number;
    readonly capabilities: {
        readonly simulate: boolean;
        readonly source_text: boolean;
        readonly compare: boolean;
        readonly recorded: boolean;
        readonly signature?: boolean; // of its threads
        readonly editor: boolean; // places can be opened in one
    };
    readonly complete: boolean; // false: the runs on `cpus` are being made, and are not in `prediction`
    readonly notes: readonly string[]; // what was left out, sentences
    readonly graph?: TaskGraphOverview; // if it is that of a task graph, whose tasks are its threads
    readonly measurement?: Measurement; // if it was measured
    readonly messages?: MessagesOverview; // if it is that of a program that sends messages, whose ranks are its threads
}

// What was predicted under a scheduler, or the schedule of a task graph; none: nothing.
export function curveUnder(overview: Overview, scheduler: string): ScheduleCurve | null {
    if (overview.graph) {
        return overview.graph.curves.find(({ schedule }) => schedule === scheduler) ?? null;
    }
    const { prediction } = overview;
    return scheduler === overview.scheduler ? { schedule: scheduler, extent: prediction.scaling.verdict[0] ?? null, timeOnOne: prediction.time_on_one_cpu_ns, predictions: prediction.predictions } : null;
}

// What the bounds of speed-ups are called, as in the tables of `parcast predict`.
export function rangeWord({ graph }: Overview): string {
    return graph ? "bounds" : "ideal range";
}

// What a lane is called.
// Why an execution has none.
export function noLanesByCpu({ graph, messages, measurement }: Overview): string {
    return measurement ? "Its threads moved over more CPUs than they are counted for: there are no lanes by CPU" : messages ? "Each rank has processors of its own" : `${graph ? "Tasks share the CPUs under this schedule" : "Threads share the CPUs under this scheduler"}: there are no lanes by CPU`;
}

export function laneWord({ graph, messages }: Overview): "thread" | "task" | "rank" {
    return graph ? "task" : messages ? "rank" : "thread";
}

// What a CPU is called. One that a measured run did not use has no number.
export function cpuNumber({ measurement }: Overview, cpu: number): number | null {
    return measurement ? measurement.cpuNumbers[cpu] ?? null : cpu;
}
export function cpuLabel(overview: Overview, cpu: number): string {
    const number = cpuNumber(overview, cpu);
    return number === null ? "unused CPU" : `CPU ${number}`;
}

// The kind of an interval. What a task pays to be taken from a queue is `overhead` in its accounts.
export function stateLabel({ graph, messages, measurement }: Overview, state: number): string {
    if (measurement && state === State.inputAndOutput) {
        return "uninterruptible";
    }
    if (messages && state === State.running) {
        return "computing";
    }
    return graph && state === State.switching ? "overhead" : (stateLabels[state] ?? "?");
}

// On what it runs: "8 CPUs, linux", "9 ranks, network meiko-cs2".
export function settingText(overview: Overview, cpus: number, scheduler: string): string {
    const { messages, measurement } = overview;
    if (measurement) {
        return `measured on ${counted(cpus, "CPU")}`;
    }
    return messages ? `${lanesText(overview, cpus)}, network ${networkName(messages, scheduler)}` : `${lanesText(overview, cpus)}, ${scheduler}`;
}

// "8 CPUs", "9 ranks".
export function lanesText({ messages }: Overview, cpus: number): string {
    return messages ? counted(cpus / messages.cpusOfRank, "rank") : counted(cpus, "CPU");
}

// The program without its folder, and its arguments.
export function programTitle({ title, prediction }: Overview): string {
    const [program = ""] = prediction.input.command ?? [];
    const name = program.slice(program.lastIndexOf("/") + 1);
    const word = [program, `'${program}'`].find((each) => title.startsWith(each)); // in quotes: it has blanks
    return name !== "" && word ? name + title.slice(word.length) : title;
}

export function threadLabel(overview: Overview, thread: number): string {
    const entry = overview.threads[thread];
    return entry?.name || (entry?.function ? `thread ${thread} (${entry.function})` : `thread ${thread}`);
}

export function objectLabel(overview: Overview, object: number): string {
    const entry = overview.objects[object];
    return entry?.name || `${entry?.kind ?? "object"} ${object}`;
}

export function siteLabel(overview: Overview, site: number): string {
    return overview.sites[site]?.name || "an unknown place";
}
