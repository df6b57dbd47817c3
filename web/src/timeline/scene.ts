// What is drawn? All that the parts of the drawing know, put together once for each change.

import type { Execution } from "../execution.ts";
import { hitsOf } from "../search.ts";
import { objectLabel, threadLabel, type Overview } from "../overview.ts";
import { shortText } from "../format.ts";
import type { Range, Selection, ViewState } from "../state.ts";
import type { Flows } from "./flows.ts";
import type { Inks } from "./inks.ts";
import type { LaneOrder, Layout } from "./layout.ts";
import type { ParallelismAxis } from "./parallelism_axis.ts";
import type { PathByCpu, PathByThread } from "./path.ts";
import { TimeScale } from "./scale.ts";
import type { OperationWeights } from "../weights.ts";

export interface Scene {
    readonly execution: Execution;
    readonly overview: Overview;
    readonly state: ViewState;
    readonly inks: Inks;
    readonly layout: Layout;
    readonly order: LaneOrder;
    readonly scroll: number;
    readonly range: Range; // shown, which moves on towards the state's
    readonly whole: number;
    readonly path: PathByThread;
    readonly cpuPath: PathByCpu | null; // null: the lanes are those of threads
    readonly flows: Flows;
    readonly lit: Lit;
    readonly names: Names;
    readonly weights: OperationWeights | null; // lanes by thread are as thick as their work decides the time
    readonly axis: ParallelismAxis;
    readonly byCpu: boolean;
    readonly isGrouped: boolean; // threads that are alike share a lane; see lane_groups.ts
    readonly laneOf: (thread: number) => number; // the lane in which a thread is drawn
}

export function scaleOf(scene: Scene): TimeScale {
    return new TimeScale(scene.range, scene.layout.plot);
}

// What has a colour in lanes by processor: threads, or groups of tasks.
export interface Coloured {
    readonly word: string;
    readonly count: number;
    readonly name: (id: number) => string;
    readonly thread: (id: number) => number; // one that has it
}

export function colouredBy({ overview, execution, names }: Scene): Coloured {
    const groups = overview.graph?.groups;
    return groups
        ? { word: "group", count: groups.count, name: (group) => shortText(groups.nameOf(group), 60), thread: (group) => groups.firstOf(group) }
        : { word: "thread", count: execution.threads, name: (thread) => names.thread(thread), thread: (thread) => thread };
}

// What is marked out because it is selected or found.
export interface Lit {
    readonly threads: ReadonlySet<number>; // found
    readonly objects: ReadonlySet<number>; // found or selected
    readonly sites: ReadonlySet<number>;
}

export function litBy(overview: Overview, search: string, selection: Selection | null): Lit {
    const hits = hitsOf(overview, search).map((hit) => hit.selection);
    const of = (kind: Selection["kind"], more: readonly Selection[] = []) =>
        new Set([...hits, ...more].filter((each) => each.kind === kind).map((each) => each.index));
    const selected = selection ? [selection] : [];
    return { threads: of("thread"), objects: of("object", selected), sites: of("site", selected) };
}

// Names as they are drawn, each shortened once.
export class Names {
    private readonly overview: Overview;
    private readonly threads: string[] = [];
    private readonly objects: string[] = [];

    constructor(overview: Overview) {
        this.overview = overview;
    }
    thread(id: number): string {
        return (this.threads[id] ??= shortText(threadLabel(this.overview, id), 60));
    }
    object(id: number): string {
        return (this.objects[id] ??= shortText(objectLabel(this.overview, id), 60));
    }
}
