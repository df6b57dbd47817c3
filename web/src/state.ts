// What is being looked at? All state that a link holds, who is told when it changes, and the zooms to go back to.

export type Range = readonly [begin: number, end: number];
export type Mode = "thread" | "cpu";
export type SelectionKind = "interval" | "event" | "thread" | "object" | "site" | "message" | "pair"; // pair: sender * threads + receiver
export interface Selection {
    readonly kind: SelectionKind;
    readonly index: number;
}
export type Side = "a" | "b";
export interface Comparison {
    readonly source: Side;
    readonly cpus: number;
    readonly scheduler: string;
    readonly scenario?: string; // a change of the program above, on its count, under its scheduler
}
export type Panel = "threads" | "objects" | "functions" | "intervals" | "events" | "cpus" | "parallelism" | "signature" | "change" | "flame" | "path" | "pieces" | "marked" | "messages";
export const panels: readonly Panel[] = ["threads", "objects", "functions", "intervals", "events", "cpus", "parallelism", "signature", "change", "flame", "path", "pieces", "marked", "messages"];

export type Grouping = "auto" | "on" | "off"; // lanes that are alike in one; auto: if there are many
export const laneSortings = ["creation", "waiting", "path"] as const;
export type LaneSorting = (typeof laneSortings)[number];

export type Weighing = "time" | "decides"; // CPU time, or how much of the time that decides
export type Answers = "all" | "brief" | "auto"; // auto: all if there is room

export interface ViewState {
    readonly cpus: number;
    readonly scheduler: string;
    readonly compare: Comparison | null; // the execution below
    readonly range: Range | null; // null: the whole execution
    readonly selection: Selection | null;
    readonly mark: Range | null;
    readonly cursors: readonly number[];
    readonly mode: Mode;
    readonly search: string;
    readonly pinned: readonly number[]; // threads
    readonly hidden: readonly number[];
    readonly order: readonly number[]; // threads that were moved, in their order; the others follow by id
    readonly grouping: Grouping;
    readonly unfolded: readonly number[]; // groups of lanes
    readonly sorting: LaneSorting; // of the lanes
    readonly hideIdle: boolean; // lanes that do nothing in the range
    readonly panel: Panel | "closed" | "auto"; // auto: open if there is room
    readonly flame: Weighing; // of the flame graph
    readonly answers: Answers;
    readonly charts: "drawn" | "tables";
    readonly about: "upper" | "lower"; // of two executions, the one that details and tables are about
}

export type Listener = (state: ViewState, previous: ViewState) => void;

const zoomsKept = 100;

export class Store {
    private state: ViewState;
    private readonly listeners = new Set<Listener>();
    private readonly zooms: Zooms;

    // `beside`: shares its zooms; see linkedStore.
    constructor(initial: ViewState, beside?: Store) {
        this.state = initial;
        this.zooms = beside?.zooms ?? { back: [], forward: [] };
    }

    get(): ViewState {
        return this.state;
    }

    // Listeners are told at once, and only if something changed.
    set(change: Partial<ViewState>): void {
        const previous = this.state;
        const next = following({ ...previous, ...change });
        const changed = [...(Object.keys(change) as (keyof ViewState)[]), "compare" as const].some((key) => !same(previous[key], next[key]));
        if (!changed) {
            return;
        }
        this.state = next;
        for (const listener of [...this.listeners]) {
            listener(next, previous);
        }
    }

    subscribe(listener: Listener): () => void {
        this.listeners.add(listener);
        return () => this.listeners.delete(listener);
    }

    // A new range that `undoZoom` returns from. While dragging, call set({range}) instead and this only at its begin.
    rememberZoom(): void {
        this.zooms.forward.length = 0;
        push(this.zooms.back, this.state.range);
    }

    zoomTo(range: Range | null): void {
        if (!same(range, this.state.range)) {
            this.rememberZoom();
            this.set({ range });
        }
    }

    get canUndoZoom(): boolean {
        return this.zooms.back.some((range) => !same(range, this.state.range));
    }
    get canRedoZoom(): boolean {
        return this.zooms.forward.some((range) => !same(range, this.state.range));
    }

    undoZoom(): boolean {
        return this.goTo(this.zooms.back, this.zooms.forward);
    }

    // What the last undo returned from, unless there was another zoom since.
    redoZoom(): boolean {
        return this.goTo(this.zooms.forward, this.zooms.back);
    }

    private goTo(from: (Range | null)[], to: (Range | null)[]): boolean {
        const now = this.state.range;
        let range = from.pop();
        if (range !== undefined && same(range, now)) {
            range = from.pop();
        }
        if (range === undefined) {
            return false;
        }
        push(to, now);
        this.set({ range });
        return true;
    }
}

// Another count for the execution below.
export function chosenBelow(compare: Comparison, cpus: number): Partial<ViewState> {
    return compare.scenario ? { cpus } : { compare: { ...compare, cpus } };
}

// A changed program is shown as the program above is.
function following(state: ViewState): ViewState {
    const { compare, cpus, scheduler } = state;
    return compare?.scenario ? { ...state, compare: { ...compare, cpus, scheduler } } : state;
}

interface Zooms {
    readonly back: (Range | null)[];
    readonly forward: (Range | null)[];
}

function push(zooms: (Range | null)[], range: Range | null): void {
    if (zooms.length > 0 && same(zooms[zooms.length - 1], range)) {
        return;
    }
    zooms.push(range);
    if (zooms.length > zoomsKept) {
        zooms.shift();
    }
}

function same(a: unknown, b: unknown): boolean {
    return a === b || (typeof a === "object" && typeof b === "object" && JSON.stringify(a) === JSON.stringify(b));
}

// What each of two executions has for itself: all that names its threads and objects.
export type OwnState = Pick<ViewState, "selection" | "pinned" | "hidden" | "order" | "unfolded">;
export const nothingOwn: OwnState = { selection: null, pinned: [], hidden: [], order: [], unfolded: [] };

// A store for a second execution on the same scale: what concerns time and manner is the same in both.
export function linkedStore(store: Store, own: OwnState = nothingOwn): Store {
    const shared = ["range", "mark", "cursors", "mode", "grouping", "sorting", "hideIdle", "search", "panel", "flame", "answers", "charts", "about"] as const;
    const linked = new Store({ ...store.get(), ...own }, store);
    const copy = (from: Store, to: Store) =>
        from.subscribe((state) => to.set(Object.fromEntries(shared.map((key) => [key, state[key]])) as Partial<ViewState>));
    copy(store, linked);
    copy(linked, store);
    return linked;
}

export function initialState(cpus: number, scheduler: string): ViewState {
    return {
        cpus,
        scheduler,
        compare: null,
        range: null,
        selection: null,
        mark: null,
        cursors: [],
        mode: "thread",
        search: "",
        pinned: [],
        hidden: [],
        order: [],
        grouping: "auto",
        unfolded: [],
        sorting: "creation",
        hideIdle: false,
        panel: "auto",
        flame: "time",
        answers: "auto",
        charts: "drawn",
        about: "upper",
    };
}
