// Which view does a link show? The state as the part of the address behind '#', readable and short: what is as it
// was at first is left out.

import { panels, type Comparison, type Mode, type Range, type Selection, type SelectionKind, type ViewState } from "./state.ts";

const modes: readonly Mode[] = ["thread", "cpu"];
const panelStates = [...panels, "closed", "auto"] as const;
const selectionKinds: readonly SelectionKind[] = ["interval", "event", "thread", "object", "site"];
const longestSearch = 200;
const longestList = 10_000;

export function toHash(state: ViewState, initial: ViewState): string {
    const parts: [string, string][] = [];
    const add = (name: string, value: string, atFirst: string) => {
        if (value !== atFirst) {
            parts.push([name, value]);
        }
    };
    add("cpus", String(state.cpus), String(initial.cpus));
    add("scheduler", state.scheduler, initial.scheduler);
    add("compare", comparisonText(state.compare), comparisonText(initial.compare)); // "" where there is none any more
    add("range", rangeText(state.range), "");
    add("select", state.selection ? `${state.selection.kind}.${state.selection.index}` : "", "");
    add("mark", rangeText(state.mark), "");
    add("cursors", listText(state.cursors), "");
    add("by", state.mode, initial.mode);
    add("search", state.search.slice(0, longestSearch), "");
    add("pinned", listText(state.pinned), "");
    add("hidden", listText(state.hidden), "");
    add("order", listText(state.order), "");
    add("hide-idle", state.hideIdle ? "1" : "", "");
    add("table", state.panel, initial.panel);
    return parts.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");
}

// What the hash does not say, or says wrongly, is as in `initial`.
export function fromHash(hash: string, initial: ViewState): ViewState {
    const said = new Map<string, string>();
    for (const part of hash.replace(/^#/, "").split("&")) {
        const at = part.indexOf("=");
        if (at > 0) {
            said.set(part.slice(0, at), decoded(part.slice(at + 1)));
        }
    }
    const get = (name: string) => said.get(name) ?? "";
    return {
        cpus: countOf(get("cpus")) ?? initial.cpus,
        scheduler: /^[a-z]{1,20}$/.test(get("scheduler")) ? get("scheduler") : initial.scheduler,
        compare: said.has("compare") ? comparisonOf(get("compare")) : initial.compare,
        range: rangeOf(get("range")),
        selection: selectionOf(get("select")),
        mark: rangeOf(get("mark")),
        cursors: listOf(get("cursors")),
        mode: oneOf(modes, get("by")) ?? initial.mode,
        search: get("search").slice(0, longestSearch),
        pinned: listOf(get("pinned")),
        hidden: listOf(get("hidden")),
        order: listOf(get("order")),
        hideIdle: get("hide-idle") === "1",
        panel: oneOf(panelStates, get("table")) ?? initial.panel,
    };
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

function listText(list: readonly number[]): string {
    return list.map((value) => String(Math.round(value))).join(".");
}

function listOf(text: string): number[] {
    const numbers = text === "" ? [] : text.split(".").map(numberOf);
    return numbers.length <= longestList && numbers.every((value) => value !== null) ? (numbers as number[]) : [];
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
    return more.length === 0 && (source === "a" || source === "b") && count && /^[a-z]{1,20}$/.test(scheduler ?? "")
        ? { source, cpus: count, scheduler: scheduler! }
        : null;
}

function oneOf<T extends string>(words: readonly T[], text: string): T | null {
    return words.find((word) => word === text) ?? null;
}
