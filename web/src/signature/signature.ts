// A series of recordings, as `parcast signature --json` answers it (docs/formats/signature.schema.json): what is drawn of it
// over the numbers of threads, and what its tables say.

import { bytesText, countText, counted, percentText, speedUpText, threeDigits, timeText } from "../format.ts";
import type { Band, Chart, Line, Values } from "./chart.ts";

// Over the threads of a recording.
export interface OverThreads {
    readonly mean: number;
    readonly ci95: number | null; // half of the 95 % confidence interval of the mean; null: one thread
    readonly min: number;
    readonly max: number;
}

export interface Range95 {
    readonly low: number;
    readonly high: number;
}

export interface ThreadRow {
    readonly id: number;
    readonly name: string;
    readonly counted: boolean; // in P
    readonly in_means: boolean;
    readonly events: number;
    readonly data_bytes: number;
    readonly active_ns: number;
    readonly communicating_ns: number;
    readonly algorithmic_blocking_ns: number;
    readonly other_blocking_ns: number;
    readonly outside_ns: number; // before its begin and after its end
    readonly alpha_ns: number;
    readonly beta_ns: number;
}

// Mean numbers of threads until the next step.
export interface ProfileStep {
    readonly begin_ns: number;
    readonly active: number;
    readonly communicating: number;
    readonly blocked: number;
}

export interface Recording {
    readonly file: string;
    readonly threads: number;
    readonly cpus: number;
    readonly events: number;
    readonly kappa: OverThreads;
    readonly active_ns: OverThreads;
    readonly alpha_ns: OverThreads;
    readonly beta_ns: OverThreads;
    readonly write_ns: OverThreads;
    readonly read_ns: OverThreads;
    readonly algorithmic_blocking_ns: OverThreads;
    readonly other_blocking_ns: OverThreads;
    readonly data_bytes: OverThreads;
    readonly active_share: OverThreads;
    readonly gamma: number | null;
    readonly eta: number;
    readonly nu: number;
    readonly nu_active: number;
    readonly a: number | null;
    readonly b: number | null;
    readonly imbalance: number;
    readonly work_ns: number;
    readonly time_ns: number;
    readonly speed_up: number | null;
    readonly speed_up_bound: number | null;
    readonly event_cost_ns: number;
    readonly laws: {
        readonly theorem: number | null;
        readonly amdahl: number | null;
        readonly gustafson: number | null;
        readonly universal: number | null;
        readonly measured: { readonly median: number; readonly min: number; readonly max: number } | null;
    };
    readonly profile: readonly ProfileStep[];
    readonly thread_rows: readonly ThreadRow[] | null;
}

export interface Candidate {
    readonly class: string;
    readonly formula: string;
    readonly exponent: number | null;
    readonly relative_error: number;
    readonly residuals: readonly number[]; // ln(E / g(P)), a recording each
    readonly chosen: boolean;
    readonly as_good: boolean;
}

export interface Cause {
    readonly text: string; // "semaphore post (send, jacobi.cpp:142)"
    readonly growth_share: number;
    readonly growth: string | null; // "linear", "P^1.26"
    readonly exponent: number | null;
    readonly formula: string | null;
    readonly events: readonly number[]; // a recording each
}

export interface Outlook {
    readonly p_smax: number | null;
    readonly s_max: number | null;
    readonly best_p: number | null;
    readonly inflection: number | null;
    readonly limit: number | null;
    readonly flat: { readonly from: number; readonly to: number | null } | null;
    readonly sentence: string;
    readonly refused: string | null;
}

export interface SignatureAnswer {
    readonly parcast: string;
    readonly verdict: readonly string[];
    readonly recordings: readonly Recording[]; // by rising number of threads
    readonly characteristic: {
        readonly class: string;
        readonly formula: string;
        readonly exponent: number | null;
        readonly exponent_ci95: Range95 | null;
        readonly candidates: readonly Candidate[];
    } | null;
    readonly theta_ns: number | null; // which everything is computed with
    readonly theta_source: "series" | "machine" | null;
    readonly series_theta_ns: number | null;
    readonly series_theta_ci95_ns: Range95 | null;
    readonly machine_theta_ns: number | null;
    readonly conserved_work_ns: number;
    readonly work_of_one: { readonly ns: number; readonly meaning: string } | null;
    readonly alpha: number | null;
    readonly optimum: Outlook | null;
    readonly scaled: Outlook | null;
    readonly other_laws: {
        readonly amdahl: { readonly serial: number };
        readonly gustafson: { readonly serial: number };
        readonly universal: { readonly contention: number; readonly coherency: number | null; readonly peak: number | null; readonly limit: number | null } | null;
    } | null;
    readonly causes: readonly Cause[];
    readonly notes: readonly string[];
    readonly next: readonly string[];
}

export function threadsOf(answer: SignatureAnswer): readonly number[] {
    return answer.recordings.map((recording) => recording.threads);
}

function over(answer: SignatureAnswer, of: (recording: Recording) => number | null): Values {
    return answer.recordings.map(of);
}

function isSomewhere(line: Line): boolean {
    return line.values.some((value) => value !== null);
}

const factor = (value: number) => threeDigits(value);
const rounded = (value: number) => (value >= 1000 ? countText(value) : threeDigits(value));

interface Figure {
    readonly number: number; // of the report of 1990
    readonly title: string;
    readonly of: (recording: Recording) => OverThreads;
    readonly text: (value: number) => string;
}

// The quantities whose means the report of 1990 draws over the numbers of threads, with their confidence intervals.
export const figures: readonly Figure[] = [
    { number: 7, title: "Active time of a thread", of: (recording) => recording.active_ns, text: timeText },
    { number: 8, title: "Events of a thread, κ", of: (recording) => recording.kappa, text: countText },
    { number: 9, title: "Active period between two events, α", of: (recording) => recording.alpha_ns, text: timeText },
    { number: 10, title: "Duration of a write", of: (recording) => recording.write_ns, text: timeText },
    { number: 11, title: "Duration of a read", of: (recording) => recording.read_ns, text: timeText },
    { number: 12, title: "Algorithmic blocking in a read", of: (recording) => recording.algorithmic_blocking_ns, text: timeText },
    { number: 13, title: "Active share of the time not blocked", of: (recording) => recording.active_share, text: percentText },
];

// The mean with its interval, which ends at 0 as all quantities do, and the least and the most.
export function figureChart(answer: SignatureAnswer, figure: Figure): Chart {
    const end = (side: number) => over(answer, (recording) => Math.max(0, figure.of(recording).mean + side * (figure.of(recording).ci95 ?? 0)));
    const bands: readonly Band[] = [
        { name: "95 % interval", colour: 0, style: "area", low: end(-1), high: end(1) },
        { name: "least – most", colour: 0, style: "edges", low: over(answer, (recording) => figure.of(recording).min), high: over(answer, (recording) => figure.of(recording).max) },
    ];
    const mean: Line = { name: "mean", colour: 0, style: "signs", values: over(answer, (recording) => figure.of(recording).mean) };
    return { title: figure.title, threads: threadsOf(answer), lines: [mean], bands, text: figure.text };
}

// What the report of 1990 defines and does not draw.
export function meansCharts(answer: SignatureAnswer): readonly Chart[] {
    const threads = threadsOf(answer);
    const line = (name: string, colour: number, of: (recording: Recording) => number | null): Line => ({ name, colour, style: "signs", values: over(answer, of) });
    return [
        {
            title: "Mean number of threads",
            threads,
            lines: [line("active", 0, (recording) => recording.nu_active), line("not blocked, ν", 1, (recording) => recording.nu)],
            bands: [],
            text: factor,
        },
        { title: "Load imbalance of active time, Δ", threads, lines: [line("Δ", 0, (recording) => recording.imbalance)], bands: [], text: percentText },
    ];
}

const mostCandidates = 4;

// What was counted, the chosen function, and those that the data support as well; then the others.
export function eventsChart(answer: SignatureAnswer): Chart {
    const candidates = [...(answer.characteristic?.candidates ?? [])].sort((a, b) => rank(a) - rank(b)).slice(0, mostCandidates);
    const counted: Line = { name: "counted", colour: 0, style: "signs", values: over(answer, (recording) => recording.events) };
    const fits = candidates.map((candidate, i): Line => ({
        name: candidate.chosen ? `${candidate.class}, chosen` : candidate.class,
        colour: i + 1,
        style: candidate.chosen ? "solid" : "dashed",
        values: answer.recordings.map((recording, place) => recording.events / Math.exp(candidate.residuals[place] ?? 0)),
    }));
    return { title: "Events of all threads, E = g(P)", threads: threadsOf(answer), lines: [counted, ...fits], bands: [], text: countText };
}

function rank(candidate: Candidate): number {
    return candidate.chosen ? 0 : candidate.as_good ? 1 : 2 + candidate.relative_error;
}

// W(P)/P, the signature, and what is left of it without events.
export function workChart(answer: SignatureAnswer): Chart {
    const lines: readonly Line[] = [
        { name: "W(P)/P", colour: 0, style: "signs", values: over(answer, (recording) => recording.work_ns / recording.threads) },
        { name: "without events", colour: 1, style: "dashed", values: over(answer, (recording) => (answer.theta_ns === null ? null : answer.conserved_work_ns / recording.threads)) },
    ];
    return { title: "Work of a thread, W(P)/P", threads: threadsOf(answer), lines: lines.filter(isSomewhere), bands: [], text: timeText };
}

export function speedUpChart(answer: SignatureAnswer): Chart {
    const lines: readonly Line[] = [
        { name: "replay", colour: 0, style: "signs", values: over(answer, (recording) => recording.speed_up) },
        { name: "theorem: nobody is blocked", colour: 1, style: "solid", values: over(answer, (recording) => recording.laws.theorem) },
        { name: "Amdahl", colour: 2, style: "dashed", values: over(answer, (recording) => recording.laws.amdahl) },
        { name: "Gustafson", colour: 3, style: "dashed", values: over(answer, (recording) => recording.laws.gustafson) },
        { name: "universal scalability law", colour: 4, style: "dashed", values: over(answer, (recording) => recording.laws.universal) },
        { name: "measured", colour: 5, style: "signs", values: over(answer, (recording) => recording.laws.measured?.median ?? null) },
    ];
    const measured: Band = { name: "measured", colour: 5, style: "area", low: over(answer, (recording) => recording.laws.measured?.min ?? null), high: over(answer, (recording) => recording.laws.measured?.max ?? null) };
    return {
        title: "Speed-up",
        threads: threadsOf(answer),
        lines: lines.filter(isSomewhere),
        bands: answer.recordings.some((recording) => recording.laws.measured) ? [measured] : [],
        text: speedUpText,
    };
}

const mostCauses = 6; // as there are colours

export function causesChart(answer: SignatureAnswer): Chart {
    const lines = answer.causes.slice(0, mostCauses).map((cause, i): Line => ({ name: cause.text, colour: i, style: "signs", values: cause.events.map((events) => (events > 0 ? events : null)) }));
    return { title: "Events by cause", threads: threadsOf(answer), lines, bands: [], text: countText };
}

export interface Column {
    readonly name: string;
    readonly title: string;
    readonly value: (recording: Recording) => number | null;
    readonly text: (value: number) => string;
}

// One row of this table a column of the page's table, and of what is copied.
export const columns: readonly Column[] = [
    { name: "P", title: "Threads", value: (each) => each.threads, text: countText },
    { name: "E", title: "Events of all threads", value: (each) => each.events, text: countText },
    { name: "κ", title: "Events of a thread", value: (each) => each.kappa.mean, text: rounded },
    { name: "α", title: "Active period between two events", value: (each) => each.alpha_ns.mean, text: timeText },
    { name: "β", title: "Duration of an event", value: (each) => each.beta_ns.mean, text: timeText },
    { name: "write", title: "Duration of a write", value: (each) => each.write_ns.mean, text: timeText },
    { name: "read", title: "Duration of a read", value: (each) => each.read_ns.mean, text: timeText },
    { name: "algorithmic", title: "Blocked in a read until the write is issued", value: (each) => each.algorithmic_blocking_ns.mean, text: timeText },
    { name: "other", title: "Blocked in a read by locks, input, wake-ups and want of a CPU", value: (each) => each.other_blocking_ns.mean, text: timeText },
    { name: "data", title: "Input and output of a thread", value: (each) => each.data_bytes.mean, text: bytesText },
    { name: "γ", title: "β / α", value: (each) => each.gamma, text: factor },
    { name: "η", title: "Share of the time in which a thread is active", value: (each) => each.eta, text: percentText },
    { name: "ν active", title: "Mean number of active threads", value: (each) => each.nu_active, text: factor },
    { name: "ν", title: "Mean number of threads that are not blocked", value: (each) => each.nu, text: factor },
    { name: "Δ", title: "Load imbalance: most active thread over the mean, less 1", value: (each) => each.imbalance, text: percentText },
    { name: "W", title: "CPU time of all threads", value: (each) => each.work_ns, text: timeText },
    { name: "W/P", title: "Work of a thread: the signature", value: (each) => each.work_ns / each.threads, text: timeText },
    { name: "T", title: "Time of the replay", value: (each) => each.time_ns, text: timeText },
    { name: "S", title: "Speed-up of the replay", value: (each) => each.speed_up, text: speedUpText },
    { name: "P η", title: "Bound on the speed-up (3.39)", value: (each) => each.speed_up_bound, text: speedUpText },
    { name: "a", title: "ν / P", value: (each) => each.a, text: factor },
    { name: "b", title: "W(P) / (P W(1))", value: (each) => each.b, text: factor },
];

// Those with a value for some recording.
export function shownColumns(answer: SignatureAnswer): readonly Column[] {
    return columns.filter((column) => column.name !== "data" || answer.recordings.some((each) => each.data_bytes.max > 0)).filter((column) => answer.recordings.some((each) => column.value(each) !== null));
}

// For a spreadsheet: exact numbers, times in ns.
export function tableText(answer: SignatureAnswer, recordings: readonly Recording[]): string {
    const shown = shownColumns(answer);
    const lines = recordings.map((recording) => shown.map((column) => column.value(recording) ?? ""));
    return [shown.map((column) => column.name), ...lines].map((line) => line.join("\t")).join("\n") + "\n";
}

export interface Fact {
    readonly name: string;
    readonly value: string;
    readonly title: string;
}

const signedTimeText = (ns: number) => (ns < 0 ? `-${timeText(-ns)}` : timeText(ns));

// What was fitted, and what follows from it.
export function factsOf(answer: SignatureAnswer): readonly Fact[] {
    const { characteristic: g, series_theta_ci95_ns: interval, other_laws: laws } = answer;
    const fact = (name: string, value: string | null, title: string): readonly Fact[] => (value === null ? [] : [{ name, value, title }]);
    const number = (value: number | null | undefined, text: (value: number) => string) => (value === null || value === undefined ? null : text(value));
    const exponent = g?.exponent_ci95 ? ` (${threeDigits(g.exponent_ci95.low)} to ${threeDigits(g.exponent_ci95.high)})` : "";
    const within = interval ? ` (${signedTimeText(interval.low)} to ${signedTimeText(interval.high)})` : "";
    return [
        ...fact("g(P)", g && g.formula, "Events of all threads"),
        ...fact("exponent", number(g?.exponent, (value) => threeDigits(value) + exponent), "Of the growth, with its 95 % confidence interval"),
        ...fact(`θ, of the ${answer.theta_source ?? "series"}`, number(answer.theta_ns, (value) => timeText(value) + (answer.theta_source === "series" ? within : "")), "CPU time of an event, with which everything else is computed"),
        ...fact("θ by the series", number(answer.theta_source === "series" ? null : answer.series_theta_ns, (value) => signedTimeText(value) + within), "The slope of the work on the events, with its 95 % confidence interval"),
        ...fact("θ by the machine", number(answer.theta_source === "machine" ? null : answer.machine_theta_ns, timeText), "CPU time of an event in the replay of the most threads"),
        ...fact("W without events", timeText(answer.conserved_work_ns), "Conserved work"),
        ...fact("W(1)/θ", number(answer.alpha, rounded), `alpha of the theorem: so many events take as long as all work. W(1) is ${answer.work_of_one?.meaning ?? ""}`),
        ...outlookFacts(answer.optimum, ""),
        ...outlookFacts(answer.scaled, ", scaled"),
        ...fact("Amdahl's serial share", number(laws?.amdahl.serial, percentText), "Of the work"),
        ...fact("Gustafson's serial share", number(laws?.gustafson.serial, percentText), "Of the time"),
        ...fact("contention, coherency", laws?.universal ? `${percentText(laws.universal.contention)}, ${threeDigits(laws.universal.coherency ?? 0)}` : null, "Of the universal scalability law"),
        ...fact("its limit", number(laws?.universal?.limit, speedUpText), "It has no peak: its speed-up rises towards this"),
        ...fact("its peak", number(laws?.universal?.peak, (value) => counted(Math.round(value), "thread")), "Number of threads"),
    ];
}

function outlookFacts(outlook: Outlook | null, suffix: string): readonly Fact[] {
    if (!outlook) {
        return [];
    }
    const fact = (name: string, value: number | null, text: (value: number) => string, title: string): readonly Fact[] => (value === null ? [] : [{ name: name + suffix, value: text(value), title }]);
    return [
        ...fact("best P", outlook.best_p, countText, "Whole number of threads with the highest speed-up, if nobody is blocked"),
        ...fact("P of S max", outlook.p_smax, rounded, "By theorem 2.1"),
        ...fact("S max", outlook.s_max, speedUpText, "The highest speed-up, if nobody is blocked"),
        ...fact("limit of S", outlook.limit, speedUpText, "For many threads, if nobody is blocked"),
        ...fact("inflection of S", outlook.inflection, rounded, "Beyond so many threads more of them cost less and less"),
        ...(outlook.flat ? [{ name: `W(P)/P within 5 %${suffix}`, value: `${rounded(outlook.flat.from)} to ${outlook.flat.to === null ? "any number" : rounded(outlook.flat.to)}`, title: "Numbers of threads with nearly the least work of a thread" }] : []),
    ];
}
