// Which groups of tasks make up the critical path of a task graph?

import { none, type Execution } from "./execution.ts";
import type { Overview } from "./overview.ts";

export interface PathPart {
    readonly name: string;
    readonly time: number; // ns on the path
    readonly index: number; // of the task with most of it
}

export interface PathParts {
    readonly length: number; // ns, of the whole path
    readonly groups: readonly PathPart[]; // the longest first; they sum to the length
}

export function pathParts(execution: Execution, overview: Overview): PathParts {
    const { pathThread, pathBegin, pathEnd } = execution;
    const named = new Map<string, { time: number; index: number; most: number }>();
    pathThread.forEach((task, piece) => {
        const time = pathEnd[piece]! - pathBegin[piece]!;
        const name = overview.threads[task]?.function || "unknown";
        const part = named.get(name) ?? { time: 0, index: none, most: -1 };
        part.time += time;
        if (time > part.most) {
            part.most = time;
            part.index = task;
        }
        named.set(name, part);
    });
    const groups = [...named].map(([name, { time, index }]) => ({ name, time, index })).sort((a, b) => b.time - a.time);
    return { length: groups.reduce((sum, part) => sum + part.time, 0), groups };
}

// A row of the table over the counts: the share of the path at each of them.
export interface PathRow {
    readonly name: string;
    readonly index: number; // of a task
    readonly shares: readonly (number | null)[]; // by count, in the order given; null: not known yet
}

const leastShare = 0.005; // somewhere: of less nothing can be gained

export function pathRowsOver(counts: readonly (PathParts | null)[]): PathRow[] {
    const names = new Set(counts.flatMap((parts) => parts?.groups.map((part) => part.name) ?? []));
    const rows = [...names].map((name) => {
        const found = counts.map((parts) => parts?.groups.find((part) => part.name === name));
        const shares = counts.map((parts, i) => (parts ? (parts.length > 0 ? (found[i]?.time ?? 0) / parts.length : 0) : null));
        const most = Math.max(...shares.map((share) => share ?? 0));
        return { name, index: found.find((part) => part)?.index ?? none, shares, most };
    });
    return rows.filter((row) => row.most >= leastShare).sort((a, b) => b.most - a.most);
}
