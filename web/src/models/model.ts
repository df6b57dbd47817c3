// What the page of a model holds (src/pages/model_page.cpp), the values that its reader chose, and what is asked about
// them.

export interface Parameter {
    readonly name: string;
    readonly value: number; // that the text gives, or the command line
    readonly is_count: boolean;
}

export interface Equation {
    readonly name: string;
    readonly meaning: string;
    readonly text: string; // empty: too long to be shown
    readonly latex: string;
    readonly mathml: string; // empty: too long to be typeset
}

export interface Sweep {
    readonly name: string;
    readonly values: readonly number[];
    readonly is_logarithmic: boolean;
}

interface Moments {
    readonly mean: number;
    readonly variance: number;
}

// A row of `parcast predict --json`.
export interface PredictedRow {
    readonly parameters: Readonly<Record<string, number>>;
    readonly time?: Moments;
    readonly mva?: number | null;
    readonly simulated?: {
        readonly time: Moments;
        readonly confidence_95: { readonly mean: readonly [number, number] };
        readonly quantiles: Readonly<Record<string, number>>;
        readonly runs: number;
    };
}

export interface Prediction {
    readonly predictions: readonly PredictedRow[];
    readonly notes: readonly string[];
}

export interface ModelDocument {
    readonly parcast: string;
    readonly file: string;
    readonly of: string;
    readonly per: string | null; // what times are divided by
    readonly has_phases: boolean;
    readonly has_server: boolean; // which simulates
    readonly levels: readonly number[];
    readonly options: readonly string[]; // of predict, but for values of parameters and --method
    readonly simulation: { readonly runs: string; readonly precision: string; readonly seed: string }; // empty: not given
    readonly text: string;
    readonly files: readonly { readonly name: string; readonly content: string }[];
    readonly sweeps: readonly Sweep[];
    readonly notes: readonly string[];
    readonly assumptions: readonly string[];
    readonly parameters: readonly Parameter[];
    readonly settings: readonly { readonly name: string; readonly value: number }[]; // to open the model again
    readonly immovable: readonly { readonly name: string; readonly reason: string }[];
    readonly resources: readonly string[];
    readonly phases: readonly string[];
    readonly refusal: string | null; // why it cannot be evaluated here
    readonly equations: readonly Equation[];
    readonly prediction: Prediction;
}

export type Values = readonly number[]; // by parameter

export interface Simulated {
    readonly mean: number;
    readonly low: number; // of its 95 % confidence interval
    readonly high: number;
    readonly deviation: number;
    readonly runs: number;
    readonly notes: readonly string[];
}

export function initialValues(model: ModelDocument): Values {
    return model.parameters.map((parameter) => parameter.value);
}

// What the row of a prediction simulated; null: nothing.
export function simulatedIn(row: PredictedRow, notes: readonly string[]): Simulated | null {
    const { simulated } = row;
    if (!simulated) {
        return null;
    }
    const [low, high] = simulated.confidence_95.mean;
    return { mean: simulated.time.mean, low, high, deviation: Math.sqrt(simulated.time.variance), runs: simulated.runs, notes };
}

// Of a point: by the values of all parameters. Rows do not name those that stay as the text has them.
export function keyOf(values: Values): string {
    return values.join(" ");
}

export function valuesOfRow(model: ModelDocument, row: PredictedRow): Values {
    return model.parameters.map(({ name, value }) => row.parameters[name] ?? value);
}

// --- where a slider may stand

const mostWhole = 200; // values of a slider that goes over every whole number
const most = 120; // of one that does not

export interface Scale {
    readonly values: readonly number[]; // rise
    readonly isLogarithmic: boolean;
}

function spaced(low: number, high: number, isLogarithmic: boolean, isWhole: boolean): readonly number[] {
    const at = (share: number) => (isLogarithmic ? low * (high / low) ** share : low + (high - low) * share);
    const rounded = (value: number) => (isWhole ? Math.round(value) : Number(value.toPrecision(3)));
    return [...new Set(Array.from({ length: most + 1 }, (_, i) => rounded(at(i / most))))].sort((a, b) => a - b);
}

// Around the given value, which is one of them; as far as a sweep of it goes.
export function scaleOf({ value, is_count: isCount }: Parameter, sweep: Sweep | undefined): Scale {
    const [low, high] = bounds(value, isCount, sweep);
    const isWhole = isCount && Number.isInteger(value);
    if (isWhole && high - low < mostWhole) {
        return { values: Array.from({ length: high - low + 1 }, (_, i) => low + i), isLogarithmic: false };
    }
    const isLogarithmic = low > 0 && (sweep?.is_logarithmic || high >= 20 * low);
    const values = [...spaced(low, high, isLogarithmic, isWhole), value].sort((a, b) => a - b);
    return { values: [...new Set(values)], isLogarithmic };
}

function bounds(value: number, isCount: boolean, sweep: Sweep | undefined): readonly [number, number] {
    if (sweep && sweep.values.length > 1) {
        return [Math.min(...sweep.values, value), Math.max(...sweep.values, value)];
    }
    if (isCount && value >= 1) {
        return [1, Math.max(16, Math.ceil(value * 10))];
    }
    if (value >= 0 && value < 1 && !isCount) {
        return [0, 1]; // most are probabilities and shares
    }
    return value > 0 ? [value / 10, value * 10] : value < 0 ? [value * 10, value / 10] : [0, 10];
}

// The place of the value that is nearest.
export function placeOf(scale: Scale, value: number): number {
    return scale.values.reduce((best, each, place) => (Math.abs(each - value) < Math.abs(scale.values[best]! - value) ? place : best), 0);
}

// --- what a sweep looks at

const mostRows = 60;
const roundFactors = [1, 2, 5];

// The values of a sweep that was asked for; else round ones within the scale, and where the reader is.
export function sweptValues(scale: Scale, sweep: Sweep | undefined, now: number): readonly number[] {
    if (sweep && sweep.values.length > 1) {
        const step = Math.max(1, Math.ceil(sweep.values.length / mostRows));
        return sweep.values.filter((_, i) => i % step === 0 || i === sweep.values.length - 1);
    }
    const [low, high] = [scale.values[0]!, scale.values[scale.values.length - 1]!];
    const isByFactors = low > 0 && high >= 10 * low;
    const rows = isByFactors ? roundNumbers(low, high) : Array.from({ length: 11 }, (_, i) => Number((low + ((high - low) * i) / 10).toPrecision(6)));
    return [...new Set([...rows, now])].sort((a, b) => a - b);
}

function roundNumbers(low: number, high: number): readonly number[] {
    const numbers: number[] = [];
    for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); ++power) {
        numbers.push(...roundFactors.map((factor) => Number((factor * 10 ** power).toPrecision(3))));
    }
    return numbers.filter((each) => each >= low && each <= high);
}

// --- the address, and commands

const overKey = "chart-over"; // no name of a model has a hyphen

export interface Wish {
    readonly values: Values;
    readonly over: string; // a parameter
}

// What differs from how the page begins.
export function toHash(model: ModelDocument, wish: Wish, initial: Wish): string {
    const words = new URLSearchParams();
    model.parameters.forEach(({ name }, i) => {
        if (wish.values[i] !== initial.values[i]) {
            words.set(name, String(wish.values[i]));
        }
    });
    if (wish.over !== initial.over) {
        words.set(overKey, wish.over);
    }
    return words.toString();
}

export function fromHash(model: ModelDocument, hash: string, initial: Wish): Wish {
    const words = new URLSearchParams(hash.replace(/^#/, ""));
    const over = words.get(overKey) ?? initial.over;
    const values = model.parameters.map(({ name }, i) => {
        const text = words.get(name);
        return text !== null && text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : initial.values[i]!;
    });
    return { values, over: model.parameters.some(({ name }) => name === over) ? over : initial.over };
}

// The parameter that a sweep is of; else the first count, as the number of threads usually is.
export function initialOver(model: ModelDocument): string {
    const swept = model.sweeps.find((sweep) => sweep.values.length > 1);
    return (swept ?? model.parameters.find((parameter) => parameter.is_count) ?? model.parameters[0])?.name ?? "";
}

// A word of a command as a shell takes it.
const word = (text: string) => (/^[\w./=+,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

export function commandFor(model: ModelDocument, values: Values): string {
    const words = ["parcast", "predict", model.file];
    model.parameters.forEach(({ name }, i) => words.push("--set", `${name}=${values[i]}`));
    return [...words, ...model.options, "--method", "both"].map(word).join(" ");
}
