// Where does the critical path run? Its pieces by lane, of threads or of processors, and the columns that they cover, at a
// cost of O(pixels).

import { firstAfter, noCpu, none, State, type Execution } from "../execution.ts";
import type { TimeScale } from "./scale.ts";

// Pieces of a lane do not overlap and are in the order of time.
abstract class PathByLane {
    protected abstract firstOf(lane: number): number; // of its pieces; those of the next lane follow
    protected abstract beginOf(place: number): number;
    protected abstract endOf(place: number): number;

    // Calls with the runs [begin, end) of columns in which the path is in this lane; narrow: it is there for less than the
    // column's time.
    runs(lane: number, scale: TimeScale, each: (begin: number, end: number, isNarrow: boolean) => void): void {
        const last = this.firstOf(lane + 1);
        const width = Math.ceil(scale.width);
        let runBegin = 0;
        let runEnd = 0;
        let runIsNarrow = false;
        for (let at = this.after(scale.begin, this.firstOf(lane), last); at < last; ) {
            const x0 = scale.x(this.beginOf(at));
            const x1 = scale.x(this.endOf(at));
            if (x0 >= width) {
                break;
            }
            const begin = Math.max(runEnd, Math.floor(x0));
            const end = Math.min(width, Math.max(Math.floor(x0) + 1, Math.round(x1)));
            const isNarrow = x1 - x0 < 1;
            if (begin > runEnd || isNarrow !== runIsNarrow) {
                if (runEnd > runBegin) {
                    each(runBegin, runEnd, runIsNarrow);
                }
                runBegin = begin;
                runIsNarrow = isNarrow;
            }
            runEnd = Math.max(runEnd, end);
            at = runEnd >= width ? last : Math.max(at + 1, this.after(scale.time(runEnd), at, last));
        }
        if (runEnd > runBegin) {
            each(runBegin, runEnd, runIsNarrow);
        }
    }

    // The first of [from, last) that ends after `time`.
    private after(time: number, from: number, last: number): number {
        let low = from;
        let high = last;
        while (low < high) {
            const middle = (low + high) >>> 1;
            if (this.endOf(middle) <= time) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}

export class PathByThread extends PathByLane {
    private readonly execution: Execution;
    private readonly first: Uint32Array;
    private readonly piece: Uint32Array; // of a thread, in the order of time

    constructor(execution: Execution) {
        super();
        this.execution = execution;
        const { pathThread, pathFlight, threads } = execution;
        // A message in flight is on nobody's lane.
        [this.first, this.piece] = sortedByLane(pathThread.map((thread, piece) => (pathFlight[piece] ? none : thread)), threads);
    }

    // Its pieces, in the order of time.
    piecesOf(thread: number): Uint32Array {
        return this.piece.subarray(this.first[thread]!, this.first[thread + 1]!);
    }

    protected firstOf(thread: number): number {
        return this.first[thread]!;
    }
    protected beginOf(place: number): number {
        return this.execution.pathBegin[this.piece[place]!]!;
    }
    protected endOf(place: number): number {
        return this.execution.pathEnd[this.piece[place]!]!;
    }
}

// A stay of the path on a processor, whatever threads it runs there one after another.
interface Stays {
    readonly cpu: number[];
    readonly begin: number[];
    readonly end: number[];
}

export class PathByCpu extends PathByLane {
    readonly stays: Stays; // in the order of time
    private readonly first: Uint32Array;
    private readonly stay: Uint32Array; // of a processor, in the order of time

    constructor(execution: Execution) {
        super();
        this.stays = staysOf(execution);
        [this.first, this.stay] = sortedByLane(this.stays.cpu, execution.cpus);
    }

    // The stays that overlap a range: [first, last).
    within(begin: number, end: number): readonly [number, number] {
        const count = this.stays.begin.length;
        return [firstAfter(this.stays.end, begin, 0, count), firstAfter(this.stays.begin, end, 0, count)];
    }

    protected firstOf(cpu: number): number {
        return this.first[cpu]!;
    }
    protected beginOf(place: number): number {
        return this.stays.begin[this.stay[place]!]!;
    }
    protected endOf(place: number): number {
        return this.stays.end[this.stay[place]!]!;
    }
}

// For each lane the first of its items, and the items of all lanes one after the other, each lane's in their order.
function sortedByLane(laneOf: ArrayLike<number>, lanes: number): readonly [first: Uint32Array, items: Uint32Array] {
    const first = new Uint32Array(lanes + 1);
    for (let item = 0; item < laneOf.length; ++item) {
        if (laneOf[item]! < lanes) {
            ++first[laneOf[item]! + 1]!;
        }
    }
    for (let lane = 0; lane < lanes; ++lane) {
        first[lane + 1]! += first[lane]!;
    }
    const at = first.slice();
    const items = new Uint32Array(first[lanes]!);
    for (let item = 0; item < laneOf.length; ++item) {
        if (laneOf[item]! < lanes) {
            items[at[laneOf[item]!]!++] = item;
        }
    }
    return [first, items];
}

// Where a thread of the path has a processor. Cost: the pieces of the path and the intervals in them.
function staysOf(execution: Execution): Stays {
    const { pathThread, pathBegin, pathEnd, intervalBegin, intervalCpu, intervalState, laneFirst } = execution;
    const stays: Stays = { cpu: [], begin: [], end: [] };
    for (let piece = 0; piece < pathThread.length; ++piece) {
        const thread = pathThread[piece]!;
        if (thread >= execution.threads) {
            continue;
        }
        const last = laneFirst[thread + 1]!;
        const first = Math.max(laneFirst[thread]!, firstAfter(intervalBegin, pathBegin[piece]!, laneFirst[thread]!, last) - 1);
        for (let i = first; i < last && intervalBegin[i]! < pathEnd[piece]!; ++i) {
            if (intervalCpu[i] !== noCpu && intervalState[i]! <= State.spinning) {
                const end = i + 1 < last ? intervalBegin[i + 1]! : execution.laneEnd[thread]!;
                addStay(stays, intervalCpu[i]!, Math.max(intervalBegin[i]!, pathBegin[piece]!), Math.min(end, pathEnd[piece]!));
            }
        }
    }
    return stays;
}

function addStay({ cpu, begin, end }: Stays, onCpu: number, from: number, to: number): void {
    const before = cpu.length - 1;
    if (to <= from) {
        return;
    }
    if (before >= 0 && cpu[before] === onCpu && end[before] === from) {
        end[before] = to;
    } else {
        cpu.push(onCpu);
        begin.push(from);
        end.push(to);
    }
}

// Pieces that overlap a range: [first, last).
export function piecesIn(execution: Execution, begin: number, end: number): readonly [number, number] {
    const count = execution.pathBegin.length;
    return [firstAfter(execution.pathEnd, begin, 0, count), firstAfter(execution.pathBegin, end, 0, count)];
}
