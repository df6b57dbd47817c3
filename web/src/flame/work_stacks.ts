// Which functions did the work before each operation, called by whom? The shares of a program (`share.*` and `stack.*` in
// docs/formats/execution.md), as it was recorded.

import { Malformed, programMagic, readContainer, type Column } from "../container.ts";
import { firstAfter, none } from "../execution.ts";

export class WorkStacks {
    readonly caller: Uint32Array; // by stack; before it, or none
    readonly site: Uint32Array; // by stack: a place in its function
    private readonly first: Uint32Array; // by thread
    private readonly piece: Uint32Array;
    private readonly stack: Uint32Array;
    private readonly ns: BigInt64Array;

    constructor(bytes: ArrayBuffer) {
        const columns = readContainer(bytes, programMagic);
        const column = <T extends Column>(name: string, type: new (length: number) => T): T => {
            const found = columns.get(name);
            if (!(found instanceof type)) {
                throw new Malformed(`Column ${name} is not there, or not of the type that it must have.`);
            }
            return found;
        };
        this.caller = column("stack.caller", Uint32Array);
        this.site = column("stack.function", Uint32Array);
        this.first = column("share.first", Uint32Array);
        this.piece = column("share.piece", Uint32Array);
        this.stack = column("share.stack", Uint32Array);
        this.ns = column("share.ns", BigInt64Array);
        if (this.caller.some((caller, i) => caller !== none && caller >= i)) {
            throw new Malformed("A stack is called by one behind it.");
        }
    }

    // Whether functions were recorded.
    get isKnown(): boolean {
        return this.first.length > 0;
    }

    // Divides an amount of work before an operation of a thread among stacks; none: outside of all functions that were
    // recorded.
    divide(thread: number, operation: number, amount: number, give: (stack: number, part: number) => void): void {
        const last = this.first[thread + 1] ?? 0;
        const begin = operation === 0 ? (this.first[thread] ?? 0) : firstAfter(this.piece, operation - 1, this.first[thread] ?? 0, last);
        let end = begin;
        let whole = 0;
        for (; end < last && this.piece[end] === operation; ++end) {
            whole += Number(this.ns[end]!);
        }
        if (whole <= 0) {
            give(none, amount);
            return;
        }
        for (let i = begin; i < end; ++i) {
            give(this.stack[i]!, (amount * Number(this.ns[i]!)) / whole);
        }
    }
}
