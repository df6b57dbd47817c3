// How is the module called that evaluates a model? Its functions, as web/module/model.cpp exports them.

import type { ModelDocument, Simulated, Values } from "./model.ts";

interface Exports {
    readonly memory: WebAssembly.Memory;
    _initialize?(): void;
    parcast_allocate(bytes: number): number;
    parcast_free(address: number): void;
    parcast_error(): number;
    parcast_model_open(address: number, bytes: number): number;
    parcast_model_points(model: number, values: number, count: number): number;
    parcast_model_resources(model: number, values: number): number;
    parcast_model_phases(model: number, values: number): number;
    parcast_model_effects(model: number, values: number): number;
    parcast_model_sentences(model: number, values: number): number;
    parcast_model_simulate(model: number, values: number): number;
    parcast_model_notes(model: number): number;
}

// Numbers of a point, before its quantiles.
const pointNumbers = 16;
const answerHead = 8; // bytes: how many numbers follow

export interface Point {
    readonly mean: number;
    readonly deviation: number;
    readonly skewness: number;
    readonly kurtosis: number;
    readonly criticalPath: number;
    readonly busiest: number;
    readonly resource: string | null; // the busiest one
    readonly isBoundByResource: boolean;
    readonly low: number; // nine runs of ten end between these
    readonly high: number;
    readonly quantiles: readonly number[]; // by level
}

export interface ResourceRow {
    readonly name: string;
    readonly work: number;
    readonly servers: number;
}

export interface PhaseRow {
    readonly name: string;
    readonly mean: number;
    readonly deviation: number;
    readonly criticalPath: number;
    readonly busiest: number;
}

export interface EffectRow {
    readonly name: string;
    readonly value: number;
    readonly meanSlope: number;
    readonly varianceSlope: number;
    readonly meanElasticity: number;
    readonly varianceElasticity: number;
}

// u32 length and so many bytes, for each field.
function packed(fields: readonly string[]): Uint8Array {
    const encoded = fields.map((field) => new TextEncoder().encode(field));
    const bytes = new Uint8Array(encoded.reduce((sum, field) => sum + 4 + field.length, 0));
    const view = new DataView(bytes.buffer);
    let at = 0;
    for (const field of encoded) {
        view.setUint32(at, field.length, true);
        bytes.set(field, at + 4);
        at += 4 + field.length;
    }
    return bytes;
}

export class ModelModule {
    private readonly exports: Exports;
    private readonly document: ModelDocument;
    private readonly handle: number;

    private constructor(exports: Exports, document: ModelDocument, handle: number) {
        this.exports = exports;
        this.document = document;
        this.handle = handle;
    }

    static async create(module: BufferSource, document: ModelDocument): Promise<ModelModule> {
        const { instance } = await WebAssembly.instantiate(module, {});
        const exports = instance.exports as unknown as Exports;
        exports._initialize?.();
        const { text, file, of, per, has_phases: hasPhases, levels, simulation, files, settings } = document;
        const fields = packed([
            text,
            file,
            of,
            per ?? "",
            hasPhases ? "1" : "",
            levels.join(","),
            simulation.runs,
            simulation.precision,
            simulation.seed,
            String(files.length),
            ...files.flatMap(({ name, content }) => [name, content]),
            ...settings.flatMap(({ name, value }) => [name, String(value)]),
        ]);
        const address = exports.parcast_allocate(fields.length);
        if (address === 0) {
            throw new Error("There is not enough memory for the model.");
        }
        new Uint8Array(exports.memory.buffer).set(fields, address >>> 0);
        const handle = exports.parcast_model_open(address, fields.length);
        exports.parcast_free(address);
        if (handle === 0) {
            throw new Error(textAt(exports, exports.parcast_error()));
        }
        return new ModelModule(exports, document, handle);
    }

    // Null: there is no value. `error` says why the first of them is not there; empty: all are.
    points(all: readonly Values[]): { readonly points: readonly (Point | null)[]; readonly error: string } {
        const { levels, resources } = this.document;
        const numbers = this.lending(all.flat(), (at) => this.numbersAt(this.exports.parcast_model_points(this.handle, at, all.length)));
        const error = textAt(this.exports, this.exports.parcast_error());
        const width = pointNumbers + levels.length;
        const points = all.map((_, i): Point | null => {
            const [mean, variance, skewness, kurtosis, path, , , , busiest, , , , resource, isBound, low, high, ...quantiles] = numbers.slice(i * width, (i + 1) * width) as [number, ...number[]];
            return Number.isNaN(mean)
                ? null
                : {
                      mean,
                      deviation: Math.sqrt(Math.max(0, variance!)),
                      skewness: skewness!,
                      kurtosis: kurtosis!,
                      criticalPath: path!,
                      busiest: busiest!,
                      resource: resources[resource!] ?? null,
                      isBoundByResource: isBound === 1,
                      low: low!,
                      high: high!,
                      quantiles,
                  };
        });
        return { points, error };
    }

    resources(values: Values): readonly ResourceRow[] {
        return this.rows(values, 3, this.exports.parcast_model_resources, ([resource, work, servers]) => ({ name: this.document.resources[resource!]!, work: work!, servers: servers! }));
    }

    phases(values: Values): readonly PhaseRow[] {
        return this.rows(values, 4, this.exports.parcast_model_phases, ([mean, variance, criticalPath, busiest], i) => ({
            name: this.document.phases[i] ?? "",
            mean: mean!,
            deviation: Math.sqrt(Math.max(0, variance!)),
            criticalPath: criticalPath!,
            busiest: busiest!,
        }));
    }

    // The greatest first.
    effects(values: Values): readonly EffectRow[] {
        return this.rows(values, 5, this.exports.parcast_model_effects, ([place, meanSlope, varianceSlope, meanElasticity, varianceElasticity]) => ({
            name: this.document.parameters[place!]!.name,
            value: values[place!]!,
            meanSlope: meanSlope!,
            varianceSlope: varianceSlope!,
            meanElasticity: meanElasticity!,
            varianceElasticity: varianceElasticity!,
        }));
    }

    sentences(values: Values): readonly string[] {
        return this.lending(values, (at) => linesIn(textAt(this.exports, this.exports.parcast_model_sentences(this.handle, at))));
    }

    simulate(values: Values): Simulated {
        const numbers = this.lending(values, (at) => this.numbersAt(this.exports.parcast_model_simulate(this.handle, at)));
        const [mean, variance, , , low, high, runs] = numbers;
        const notes = linesIn(textAt(this.exports, this.exports.parcast_model_notes(this.handle)));
        return { mean: mean!, low: low!, high: high!, deviation: Math.sqrt(variance!), runs: runs!, notes };
    }

    // None where the module refuses.
    private rows<Row>(values: Values, width: number, ask: (model: number, at: number) => number, rowOf: (numbers: readonly number[], place: number) => Row): readonly Row[] {
        return this.lending(values, (at) => {
            const answer = ask(this.handle, at);
            const numbers = answer === 0 ? [] : this.numbersAt(answer);
            return Array.from({ length: numbers.length / width }, (_, i) => rowOf(numbers.slice(i * width, (i + 1) * width), i));
        });
    }

    private lending<Answer>(numbers: readonly number[], ask: (at: number) => Answer): Answer {
        const address = this.exports.parcast_allocate(Math.max(8, numbers.length * 8));
        if (address === 0) {
            throw new Error("There is not enough memory for these points.");
        }
        new Float64Array(this.exports.memory.buffer, address >>> 0, numbers.length).set(numbers);
        try {
            return ask(address);
        } finally {
            this.exports.parcast_free(address);
        }
    }

    private numbersAt(answer: number): readonly number[] {
        if (answer === 0) {
            throw new Error(textAt(this.exports, this.exports.parcast_error()));
        }
        const at = answer >>> 0;
        const length = new DataView(this.exports.memory.buffer).getUint32(at, true);
        return [...new Float64Array(this.exports.memory.buffer, at + answerHead, length)];
    }
}

function linesIn(text: string): readonly string[] {
    return text === "" ? [] : text.split("\n");
}

function textAt(exports: Exports, address: number): string {
    const memory = new Uint8Array(exports.memory.buffer, address >>> 0);
    return new TextDecoder().decode(memory.subarray(0, memory.indexOf(0)));
}
