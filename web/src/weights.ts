// What decides the time of a program, on each of some numbers of CPUs? Computed by src/view/work_weights.h, in
// `parcast view` or in the module of a report; grammar: docs/formats/execution.md. Times are ns.

import { Malformed, readContainer, weightsMagic, type Column } from "./container.ts";
import { none } from "./execution.ts";

export type OwnerKind = "function" | "lock" | "thread";
const kinds: readonly OwnerKind[] = ["function", "lock", "thread"];

// Who has work that somebody could change.
export interface Owner {
    readonly index: number;
    readonly kind: OwnerKind;
    readonly label: string; // "solve (lu.cpp:88)", "the work under mutex table (histogram.c:34)"
    readonly change: string; // how a change of it begins: "lock:table", to which "*0.5" is added
    readonly calls: number;
    readonly self: number; // CPU time
    readonly site: number; // none: not known
    readonly id: number; // of the object or the thread
}

// A function or a lock: what is tried.
export function isTried({ kind }: Owner): boolean {
    return kind !== "thread";
}

export class Weights {
    readonly counts: readonly number[];
    readonly owners: readonly Owner[];
    private readonly completion: Float64Array;
    private readonly first: Uint32Array;
    private readonly decided: Float64Array;

    constructor(bytes: ArrayBuffer, counts: readonly number[]) {
        const column = columnsOf(bytes);
        const kind = column("work.kind", Uint8Array);
        const calls = column("work.calls", Float64Array);
        const self = column("work.self", Float64Array);
        const site = column("work.site", Uint32Array);
        const id = column("work.id", Uint32Array);
        const texts = new TextDecoder().decode(column("work.texts", Uint8Array)).split("\0");
        this.owners = Array.from(kind, (number, index) => ({
            index,
            kind: kinds[number] ?? "function",
            label: texts[2 * index] ?? "",
            change: texts[2 * index + 1] ?? "",
            calls: calls[index]!,
            self: self[index]!,
            site: site[index]!,
            id: id[index]!,
        }));
        this.completion = column("count.completion", Float64Array);
        this.first = column("count.first", Uint32Array);
        this.decided = column("decided", Float64Array);
        this.counts = this.completion.length === counts.length ? counts : []; // none: it deadlocks
    }

    // The part of the time on that many CPUs that the owner decides; null: not asked for.
    share(owner: Owner, cpus: number): number | null {
        const count = this.counts.indexOf(cpus);
        return count < 0 || !(this.completion[count]! > 0) ? null : this.decided[count * this.owners.length + owner.index]! / this.completion[count]!;
    }

    // What to change first there; null: nothing.
    firstOn(cpus: number): Owner | null {
        const first = this.first[this.counts.indexOf(cpus)] ?? none;
        return this.owners[first] ?? null;
    }

    // The first functions and locks that decide anything there, by how much, and what to change first.
    leaders(cpus: number, most: number): Owner[] {
        const shares = new Map(this.owners.filter(isTried).map((owner) => [owner, this.share(owner, cpus) ?? 0]));
        const ranked = [...shares].filter(([, share]) => Math.abs(share) >= leastShare).sort(([, a], [, b]) => b - a).map(([owner]) => owner);
        const kept = ranked.slice(0, most);
        const first = this.firstOn(cpus);
        return first && !kept.includes(first) && ranked.includes(first) ? [...kept, first] : kept;
    }
}

const leastShare = 0.01; // of the time: of less nothing can be gained

// The weight of the work before each operation, in the order of an execution's events.
export class OperationWeights {
    readonly cpus: number;
    readonly first: Uint32Array; // by thread
    private readonly sums: Float64Array; // of the weights before each operation

    constructor(bytes: ArrayBuffer, cpus: number) {
        const column = columnsOf(bytes);
        const weight = column("weight", Float32Array);
        this.cpus = cpus;
        this.first = column("weight.first", Uint32Array);
        this.sums = new Float64Array(weight.length + 1);
        weight.forEach((value, i) => (this.sums[i + 1] = this.sums[i]! + value));
    }

    of(thread: number, operation: number): number {
        const at = (this.first[thread] ?? 0) + operation;
        return at + 1 < this.sums.length ? this.sums[at + 1]! - this.sums[at]! : 0;
    }

    // Mean of the operations from `first` to `last` - 1; 0 without any.
    mean(first: number, last: number): number {
        const end = Math.min(last, this.sums.length - 1);
        return end > first ? (this.sums[end]! - this.sums[first]!) / (end - first) : 0;
    }
}

function columnsOf(bytes: ArrayBuffer) {
    const columns = readContainer(bytes, weightsMagic);
    return <T extends Column>(name: string, type: new (length: number) => T): T => {
        const found = columns.get(name) ?? new type(0);
        if (!(found instanceof type)) {
            throw new Malformed(`Column ${name} is not of the type that it must have.`);
        }
        return found;
    };
}
