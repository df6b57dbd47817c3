// Which view does a link show? The state as the part of the address behind '#', readable and short: what is as it
// was at first is left out.

import {
    laneSortings,
    nothingOwn,
    panels,
    type Answers,
    type Comparison,
    type Grouping,
    type Mode,
    type OwnState,
    type Range,
    type Selection,
    type SelectionKind,
    type ViewState,
} from "./state.ts";

const modes: readonly Mode[] = ["thread", "cpu"];
const groupings: readonly Grouping[] = ["auto", "on", "off"];
const answerStates: readonly Answers[] = ["all", "brief", "auto"];
const panelStates = [...panels, "closed", "auto"] as const;
const selectionKinds: readonly SelectionKind[] = ["interval", "event", "thread", "object", "site", "message", "pair"];
const schedulerName = /^([a-z][a-z0-9:-]{0,39}|own:[0-9,_e+-]{1,400})$/; // "linux", "batch:4", a network of one's own
const longestSearch = 200;
const longestScenario = 2000;
const longestList = 100_000;
const leastRun = 3;
const belowSuffix = "-below";

// `below`: what the lower of two executions has for itself.
export function toHash(state: ViewState, initial: ViewState, below: OwnState = nothingOwn): string {
    const parts: [string, string][] = [];
    const add = (name: string, value: string, atFirst: string) => {
        if (value !== atFirst) {
            parts.push([name, value]);
        }
    };
    add("cpus", String(state.cpus), String(initial.cpus));
    add("scheduler", state.scheduler, initial.scheduler);
    const scenario = state.compare?.scenario ?? "";
    if (!scenario) {
        add("compare", comparisonText(state.compare), comparisonText(initial.compare)); // "" where there is none any more
    }
    add("what-if", scenario.slice(0, longestScenario), "");
    add("range", rangeText(state.range), "");
    const addOwn = (own: OwnState, suffix: string) => {
        add(`select${suffix}`, own.selection ? `${own.selection.kind}.${own.selection.index}` : "", "");
        add(`pinned${suffix}`, listText(own.pinned), "");
        add(`hidden${suffix}`, listText(own.hidden), "");
        add(`order${suffix}`, listText(own.order), "");
        add(`unfolded${suffix}`, listText(own.unfolded), "");
    };
    addOwn(state, "");
    if (state.compare) {
        addOwn(below, belowSuffix);
        add("about", state.about, initial.about);
    }
    add("mark", rangeText(state.mark), "");
    add("cursors", listText(state.cursors), "");
    add("by", state.mode, initial.mode);
    add("search", state.search.slice(0, longestSearch), "");
    add("groups", state.grouping, initial.grouping);
    add("sort", state.sorting, initial.sorting);
    add("hide-idle", state.hideIdle ? "1" : "", "");
    add("table", state.panel, initial.panel);
    add("flame", state.flame, initial.flame);
    add("answers", state.answers, initial.answers);
    add("charts", state.charts, initial.charts);
    return parts.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");
}

// What the hash does not say, or says wrongly, is as in `initial`.
export function fromHash(hash: string, initial: ViewState): ViewState {
    const get = wordsOf(hash);
    const compare = get("compare");
    const scenario = (get("what-if") ?? "").slice(0, longestScenario).trim();
    const cpus = countOf(get("cpus") ?? "") ?? initial.cpus;
    const scheduler = schedulerName.test(get("scheduler") ?? "") ? get("scheduler")! : initial.scheduler;
    return {
        cpus,
        scheduler,
        compare: scenario ? { source: "a", cpus, scheduler, scenario } : compare === undefined ? initial.compare : comparisonOf(compare),
        range: rangeOf(get("range") ?? ""),
        mark: rangeOf(get("mark") ?? ""),
        cursors: listOf(get("cursors") ?? ""),
        mode: oneOf(modes, get("by")) ?? initial.mode,
        search: (get("search") ?? "").slice(0, longestSearch),
        ...ownOf(get, ""),
        grouping: oneOf(groupings, get("groups")) ?? initial.grouping,
        sorting: oneOf(laneSortings, get("sort")) ?? initial.sorting,
        hideIdle: get("hide-idle") === "1",
        panel: oneOf(panelStates, get("table")) ?? initial.panel,
        flame: get("flame") === "decides" ? "decides" : initial.flame,
        answers: oneOf(answerStates, get("answers")) ?? initial.answers,
        charts: get("charts") === "tables" ? "tables" : initial.charts,
        about: get("about") === "lower" ? "lower" : initial.about,
    };
}

// What the hash says of the lower of two executions alone.
export function belowFromHash(hash: string): OwnState {
    return ownOf(wordsOf(hash), belowSuffix);
}

type Words = (name: string) => string | undefined;

function ownOf(get: Words, suffix: string): OwnState {
    return {
        selection: selectionOf(get(`select${suffix}`) ?? ""),
        pinned: listOf(get(`pinned${suffix}`) ?? ""),
        hidden: listOf(get(`hidden${suffix}`) ?? ""),
        order: listOf(get(`order${suffix}`) ?? ""),
        unfolded: listOf(get(`unfolded${suffix}`) ?? ""),
    };
}

function wordsOf(hash: string): Words {
    const said = new Map<string, string>();
    for (const part of hash.replace(/^#/, "").split("&")) {
        const at = part.indexOf("=");
        if (at > 0) {
            said.set(part.slice(0, at), decoded(part.slice(at + 1)));
        }
    }
    return (name) => said.get(name);
}

function decoded(text: string): string {
    try {
        return decodeURIComponent(text);
    } catch {
        return "";
    }
}

function countOf(text: string): number | null {
    return /^[1-9][0-9]{0,5}$/.test(text) ? Number(text) : null;
}

function numberOf(text: string): number | null {
    return /^[0-9]{1,17}(\.[0-9]{1,6})?$/.test(text) ? Number(text) : null;
}

function rangeText(range: Range | null): string {
    return range ? range.map((time) => String(Math.round(time * 1000) / 1000)).join("-") : "";
}

function rangeOf(text: string): Range | null {
    const [begin, end, ...more] = text.split("-").map(numberOf);
    return more.length === 0 && begin != null && end != null && begin < end ? [begin, end] : null;
}

// "3.7.10-14": runs of numbers that rise by one are short.
function listText(list: readonly number[]): string {
    const parts: string[] = [];
    for (let i = 0; i < list.length; ) {
        const first = Math.round(list[i]!);
        let last = i;
        while (last + 1 < list.length && Math.round(list[last + 1]!) === first + (last + 1 - i)) {
            ++last;
        }
        if (last - i >= leastRun) {
            parts.push(`${first}-${first + last - i}`);
            i = last + 1;
        } else {
            parts.push(String(first));
            ++i;
        }
    }
    return parts.join(".");
}

function listOf(text: string): number[] {
    const numbers: number[] = [];
    for (const part of text === "" ? [] : text.split(".")) {
        const [first, last, ...more] = part.split("-").map(numberOf);
        if (more.length > 0 || first == null || last === null || (last ?? first) < first || numbers.length + (last ?? first) - first >= longestList) {
            return [];
        }
        for (let value = first; value <= (last ?? first); ++value) {
            numbers.push(value);
        }
    }
    return numbers;
}

function selectionOf(text: string): Selection | null {
    const [kind, index, ...more] = text.split(".");
    const known = oneOf(selectionKinds, kind ?? "");
    return more.length === 0 && known && /^[0-9]{1,10}$/.test(index ?? "") ? { kind: known, index: Number(index) } : null;
}

function comparisonText(comparison: Comparison | null): string {
    return comparison ? `${comparison.source}.${comparison.cpus}.${comparison.scheduler}` : "";
}

function comparisonOf(text: string): Comparison | null {
    const [source, cpus, scheduler, ...more] = text.split(".");
    const count = countOf(cpus ?? "");
    return more.length === 0 && (source === "a" || source === "b") && count && schedulerName.test(scheduler ?? "")
        ? { source, cpus: count, scheduler: scheduler! }
        : null;
}

function oneOf<T extends string>(words: readonly T[], text: string | undefined): T | null {
    return words.find((word) => word === text) ?? null;
}
