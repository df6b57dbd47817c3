// How is the simulator called that a report carries? The module's functions, as web/module/module.cpp exports them.

import { schedulers } from "./generated.ts";
import type { SpeedUpAt } from "./measured.ts";
import { triedNumbers, type TriedOn } from "./source.ts";

const longestText = 20_000; // bytes
const answerHead = 8; // bytes before the execution: its length

interface Exports {
    readonly memory: WebAssembly.Memory;
    _initialize?(): void;
    parcast_allocate(bytes: number): number;
    parcast_free(address: number): void;
    parcast_open(address: number, bytes: number): number;
    parcast_replay(program: number, cpus: number, scheduler: number, withTimeline: number, scenario: number, bytes: number): number;
    parcast_replay_messages(program: number, numbers: number, count: number, withTimeline: number): number;
    parcast_weights(program: number, counts: number, count: number): number;
    parcast_operation_weights(program: number, cpus: number): number;
    parcast_advice(program: number, tried: number, count: number): number;
    parcast_extent(points: number, count: number): number;
    parcast_error(): number;
}

export class Simulator {
    private readonly exports: Exports;
    private readonly program: number;

    private constructor(exports: Exports, program: number) {
        this.exports = exports;
        this.program = program;
    }

    static async create(module: BufferSource, program: Uint8Array): Promise<Simulator> {
        const compiled = await WebAssembly.compile(module);
        const instance = await WebAssembly.instantiate(compiled, stubsFor(compiled));
        const exports = instance.exports as unknown as Exports;
        exports._initialize?.();
        const address = exports.parcast_allocate(program.length);
        if (address === 0) {
            throw new Error("There is not enough memory for the program.");
        }
        new Uint8Array(exports.memory.buffer).set(program, address >>> 0);
        const handle = exports.parcast_open(address, program.length);
        exports.parcast_free(address);
        if (handle === 0) {
            throw new Error(errorText(exports));
        }
        return new Simulator(exports, handle);
    }

    // The bytes of an execution (docs/formats/execution.md), of the program as a scenario changes it.
    replay(cpus: number, scheduler: string, withTimeline: boolean, scenario = ""): ArrayBuffer {
        const number = (schedulers as readonly string[]).indexOf(scheduler);
        const text = new TextEncoder().encode(scenario);
        return this.lending(text, (at) => this.answer(this.exports.parcast_replay(this.program, cpus, number, withTimeline ? 1 : 0, at, text.length)));
    }

    // The same of a program that sends messages, on a network.
    replayMessages(network: readonly number[], withTimeline: boolean): ArrayBuffer {
        return this.lending(Float64Array.from(network), (at) => this.answer(this.exports.parcast_replay_messages(this.program, at, network.length, withTimeline ? 1 : 0)));
    }

    // Weights as bytes: by owner on each of the counts, or by operation on one (docs/formats/execution.md).
    weights(counts: readonly number[]): ArrayBuffer {
        return this.lending(Uint32Array.from(counts), (at) => this.answer(this.exports.parcast_weights(this.program, at, counts.length)));
    }
    operationWeights(cpus: number): ArrayBuffer {
        return this.answer(this.exports.parcast_operation_weights(this.program, cpus));
    }

    // What to change first, a sentence a line.
    advice(tried: readonly TriedOn[]): string {
        const numbers = Float64Array.from(triedNumbers(tried));
        return this.lending(numbers, (at) => textAt(this.exports, this.exports.parcast_advice(this.program, at, numbers.length)));
    }

    // Lends numbers or letters to one call of the module.
    private lending<T>(numbers: Uint8Array | Uint32Array | Float64Array, call: (address: number) => T): T {
        const { exports } = this;
        const address = exports.parcast_allocate(Math.max(1, numbers.byteLength)) >>> 0;
        new Uint8Array(exports.memory.buffer).set(new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength), address);
        try {
            return call(address);
        } finally {
            exports.parcast_free(address);
        }
    }

    private answer(address: number): ArrayBuffer {
        const { exports } = this;
        const answer = address >>> 0;
        if (answer === 0) {
            throw new Error(errorText(exports));
        }
        // The answer belongs to the program until its next one.
        const length = new DataView(exports.memory.buffer).getUint32(answer, true);
        return exports.memory.buffer.slice(answer + answerHead, answer + answerHead + length);
    }

    // How far a program with these speed-ups scales.
    extent(points: readonly SpeedUpAt[]): string {
        const numbers = Float64Array.from(points.flatMap(({ cpus, speedUp }) => [cpus, speedUp]));
        return this.lending(numbers, (at) => textAt(this.exports, this.exports.parcast_extent(at, points.length)));
    }
}

function errorText(exports: Exports): string {
    return textAt(exports, exports.parcast_error()) || "The simulator gave no answer.";
}

function textAt(exports: Exports, address: number): string {
    const bytes = new Uint8Array(exports.memory.buffer, address >>> 0);
    const end = bytes.indexOf(0);
    return new TextDecoder().decode(bytes.slice(0, Math.min(end < 0 ? longestText : end, longestText)));
}

// The module has no system to call: what its library might ask for is answered with "not there".
function stubsFor(module: WebAssembly.Module): WebAssembly.Imports {
    const notThere = 52; // ENOSYS
    const imports: Record<string, Record<string, WebAssembly.ImportValue>> = {};
    for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
        if (kind === "function") {
            (imports[from] ??= {})[name] = () => {
                if (name === "proc_exit") {
                    throw new Error("The simulator stopped.");
                }
                return notThere;
            };
        }
    }
    return imports;
}
