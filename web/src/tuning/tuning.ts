// A search over parameters, as `parcast tune --json` answers it (docs/formats/tune.schema.json): which points lie on
// one curve, and what is said of them?

import { countText, numberText, timeText } from "../format.ts";

export type Value = number | string;
export type Parameters = Readonly<Record<string, Value>>;

export interface Axis {
    readonly name: string;
    readonly values: readonly Value[]; // numbers rise
}

export interface Point {
    readonly parameters: Parameters;
    readonly computation_ns?: number;
    readonly communication_ns?: number;
    readonly [time: `${string}_ns`]: number | null | undefined;
    readonly mean?: number | null;
    readonly simulated?: number | null;
}

export interface TuningAnswer {
    readonly parcast: string;
    readonly input: {
        readonly subject: string;
        readonly form: string;
        readonly parameters: Readonly<Record<string, string>>;
        readonly network: string | null;
    };
    readonly axes: readonly Axis[];
    readonly methods: readonly string[]; // the first one's times are searched for the best
    readonly sentences: readonly string[];
    readonly searched: number;
    readonly of: number;
    readonly best: Readonly<Record<string, Point>>;
    readonly within_5_percent: readonly Parameters[];
    readonly points: readonly Point[];
    readonly assumptions: readonly string[];
    readonly next: string;
}

// Models have a unit of time of their own.
export function hasUnit(answer: TuningAnswer): boolean {
    return answer.input.form !== "model";
}

export function valueText(answer: TuningAnswer, value: number): string {
    return hasUnit(answer) ? timeText(value) : numberText(value);
}

export function timeOf(answer: TuningAnswer, point: Point, method: string): number | null {
    const key = hasUnit(answer) ? (`${method}_ns` as const) : (method as "mean");
    return point[key] ?? null;
}

export function hasSteps(answer: TuningAnswer): boolean {
    return answer.points[0]?.computation_ns !== undefined;
}

// What is drawn of a point: a line, the other end of the band above it, or dots.
export interface Series {
    readonly method: string; // empty: the same for all
    readonly kind: "line" | "edge" | "dots";
    readonly value: (point: Point) => number | null;
}

export interface Part {
    readonly title: string;
    readonly series: readonly Series[];
}

const kinds = ["line", "edge", "dots"] as const;

export function partsOf(answer: TuningAnswer): readonly Part[] {
    const times = answer.methods.slice(0, kinds.length).map((method, i): Series => ({
        method,
        kind: hasSteps(answer) ? kinds[i]! : i === 0 ? "line" : "dots",
        value: (point) => timeOf(answer, point, method),
    }));
    if (!hasSteps(answer)) {
        return [{ title: "Time", series: times }];
    }
    const communication = times.slice(0, 2).map((each): Series => ({ ...each, value: (point) => less(each.value(point), point.computation_ns!) }));
    const computation: Part = { title: "Computation", series: [{ method: "", kind: "line", value: (point) => point.computation_ns! }] };
    return [
        { title: "Time", series: times },
        { title: "Communication", series: communication },
        ...(answer.points.some((point) => point.computation_ns! > 0) ? [computation] : []),
    ];
}

function less(time: number | null, part: number): number | null {
    return time === null ? null : Math.max(0, time - part);
}

export function isNumeric(axis: Axis): boolean {
    return axis.values.every((value) => typeof value === "number");
}

// Those that a curve can go along: numbers first.
export function axesToDraw(answer: TuningAnswer): readonly Axis[] {
    const several = answer.axes.filter((axis) => axis.values.length > 1);
    return [...several.filter(isNumeric), ...several.filter((axis) => !isNumeric(axis))];
}

export interface Curve {
    readonly index: number; // its colour and its sign
    readonly name: string; // the values of the other axes; empty: there is one curve
    readonly points: readonly (Point | null)[]; // by place along the axis; null: not looked at
    readonly best: number; // the least time by the first method
}

function nameOf(axes: readonly Axis[], parameters: Parameters): string {
    return axes.map((axis) => (isNumeric(axis) ? `${axis.name} ${parameters[axis.name]}` : String(parameters[axis.name]))).join(", ");
}

export const curveColours = 6;

// In the order of the values; of more than there are colours the fastest first.
export function curvesOver(answer: TuningAnswer, along: Axis): readonly Curve[] {
    const others = answer.axes.filter((axis) => axis !== along && axis.values.length > 1);
    const places = new Map(along.values.map((value, place) => [value, place]));
    const found = new Map<string, (Point | null)[]>();
    for (const point of answer.points) {
        const name = nameOf(others, point.parameters);
        const points = found.get(name) ?? along.values.map(() => null);
        points[places.get(point.parameters[along.name]!)!] = point;
        found.set(name, points);
    }
    const least = (points: readonly (Point | null)[]) =>
        Math.min(...points.map((point) => (point && timeOf(answer, point, answer.methods[0]!)) ?? Infinity));
    const curves = [...found].map(([name, points]) => ({ name, points, best: least(points) }));
    const ordered = curves.length > curveColours ? curves.sort((a, b) => a.best - b.best) : curves;
    return ordered.map((curve, index) => ({ ...curve, index }));
}

// A point in words: "block 30, layout diagonal".
export function pointText(answer: TuningAnswer, parameters: Parameters): string {
    return answer.axes.map((axis) => `${axis.name} ${parameters[axis.name]}`).join(", ");
}

export type Mark = "best" | "near" | "";

interface Marks {
    readonly best: Point;
    readonly near: ReadonlySet<Point>;
}

const known = new WeakMap<TuningAnswer, Marks>();

// Found once: there may be a hundred thousand points.
function marksOf(answer: TuningAnswer): Marks {
    const keyOf = (parameters: Parameters) => answer.axes.map((axis) => parameters[axis.name]).join("\n");
    const found = known.get(answer);
    if (found) {
        return found;
    }
    const points = new Map(answer.points.map((point) => [keyOf(point.parameters), point]));
    const marks: Marks = {
        best: points.get(keyOf(answer.best[answer.methods[0]!]!.parameters))!,
        near: new Set(answer.within_5_percent.map((parameters) => points.get(keyOf(parameters))!)),
    };
    known.set(answer, marks);
    return marks;
}

export function bestOf(answer: TuningAnswer): Point {
    return marksOf(answer).best;
}

export function markOf(answer: TuningAnswer, point: Point): Mark {
    const { best, near } = marksOf(answer);
    return point === best ? "best" : near.has(point) ? "near" : "";
}

const mostNamed = 8; // in a line

function listed(names: readonly string[]): string {
    const more = names.length - mostNamed;
    return names.slice(0, mostNamed).join("; ") + (more > 0 ? `; and ${countText(more)} more` : "");
}

// Values of the axis that a coarse search left out, with the curves that miss the same: "block 12, 16: row-cyclic; diagonal".
export function notLookedAt(answer: TuningAnswer, along: Axis): readonly string[] {
    const curves = curvesOver(answer, along);
    const byMissing = new Map<string, string[]>();
    for (const curve of curves) {
        const missing = along.values.filter((_, place) => curve.points[place] === null).join(", ");
        if (missing !== "") {
            byMissing.set(missing, [...(byMissing.get(missing) ?? []), curve.name]);
        }
    }
    const lines = [...byMissing].map(([missing, names]) => `${along.name} ${missing}${names[0] === "" ? "" : `: ${listed(names)}`}`);
    const others = answer.axes.filter((axis) => axis !== along && axis.values.length > 1);
    const whole = others.reduce((count, axis) => count * axis.values.length, 1) - curves.length;
    return whole > 0 ? [...lines, `no value of ${along.name} for ${countText(whole)} other combinations of ${others.map((axis) => axis.name).join(" and ")}`] : lines;
}

// For a spreadsheet: exact numbers, a line for each point.
export function tableText(answer: TuningAnswer, points: readonly Point[]): string {
    const unit = hasUnit(answer) ? "_ns" : "";
    const head = [...answer.axes.map((axis) => axis.name), ...answer.methods.map((method) => method + unit), ...(hasSteps(answer) ? ["computation_ns"] : [])];
    const lines = points.map((point) => [
        ...answer.axes.map((axis) => point.parameters[axis.name]),
        ...answer.methods.map((method) => timeOf(answer, point, method) ?? ""),
        ...(hasSteps(answer) ? [point.computation_ns] : []),
    ]);
    return [head, ...lines].map((line) => line.join("\t")).join("\n") + "\n";
}
