import assert from "node:assert/strict";
import { test } from "node:test";
import { valueScale } from "../src/first_screen/chart_scale.ts";
import { numberText, timeUnit } from "../src/format.ts";
import { axesToDraw, bestOf, curvesOver, markOf, notLookedAt, partsOf, pointText, tableText, valueText, type Point, type TuningAnswer } from "../src/tuning/tuning.ts";

const blocks = [10, 20, 40];
const layouts = ["row", "diagonal"];
const times: Readonly<Record<string, readonly (number | null)[]>> = { row: [50, 30, 40], diagonal: [70, null, 20] };

const point = (layout: string, block: number, ms: number): Point => ({
    parameters: { layout, block },
    standard_ns: ms * 1e6,
    overestimate_ns: 2 * ms * 1e6,
    overlapped_ns: 0.5 * ms * 1e6,
    computation_ns: 10e6,
    communication_ns: (ms - 10) * 1e6,
});
const points = layouts.flatMap((layout) => blocks.flatMap((block, i) => (times[layout]![i] === null ? [] : [point(layout, block, times[layout]![i]!)])));
const answer: TuningAnswer = {
    parcast: "1",
    input: { subject: "invented", form: "steps", parameters: {}, network: null },
    axes: [
        { name: "layout", values: layouts },
        { name: "block", values: blocks },
        { name: "ranks", values: [8] },
    ],
    methods: ["standard", "overestimate", "overlapped"],
    sentences: ["The best is layout diagonal, block 40."],
    searched: 5,
    of: 6,
    best: { standard: point("diagonal", 40, 20) },
    within_5_percent: [{ layout: "row", block: 20 }],
    points,
    assumptions: [],
    next: "parcast",
};
const [block, layout] = axesToDraw(answer) as [(typeof answer.axes)[0], (typeof answer.axes)[0]];

test("curves go along numbers first, then along names; a parameter with one value is none", () => {
    assert.deepEqual(axesToDraw(answer).map((axis) => axis.name), ["block", "layout"]);
});

test("a curve has the values of the others for its name", () => {
    const curves = curvesOver(answer, block);
    assert.deepEqual(curves.map((curve) => [curve.name, curve.best, curve.index]), [["row", 30e6, 0], ["diagonal", 20e6, 1]]);
    assert.deepEqual(curves[1]!.points.map((each) => each?.["standard_ns"] ?? null), [70e6, null, 20e6]);
    assert.deepEqual(curvesOver(answer, layout).map((curve) => curve.name), ["block 10", "block 20", "block 40"]);
});

test("of more curves than there are colours the fastest come first", () => {
    const ranks = [2, 3, 4, 5, 6, 7, 8];
    const many = { ...answer, axes: [block, { name: "ranks", values: ranks }], points: ranks.map((each) => ({ ...point("", 10, 100 - each), parameters: { block: 10, ranks: each } })) };
    assert.deepEqual(curvesOver(many, block).map((curve) => curve.name), [...ranks].reverse().map((each) => `ranks ${each}`));
});

test("communication is what the computation leaves of the time, by both algorithms", () => {
    const parts = partsOf(answer);
    assert.deepEqual(parts.map((part) => [part.title, part.series.length]), [["Time", 3], ["Communication", 2], ["Computation", 1]]);
    assert.deepEqual(parts[1]!.series.map((series) => series.value(points[0]!)), [40e6, 90e6]);
    const silent = { ...answer, points: points.map((each) => ({ ...each, computation_ns: 0 })) };
    assert.deepEqual(partsOf(silent).map((part) => part.title), ["Time", "Communication"]);
});

test("points are marked and named", () => {
    assert.equal(bestOf(answer), points[4]);
    assert.deepEqual(points.map((each) => markOf(answer, each)), ["", "near", "", "", "best"]);
    assert.equal(pointText({ ...answer, axes: answer.axes.slice(0, 2) }, points[0]!.parameters), "layout row, block 10");
});

test("values that no curve, or one of them, was looked at are named together", () => {
    assert.deepEqual(notLookedAt(answer, block), ["block 20: diagonal"]);
    assert.deepEqual(notLookedAt(answer, layout), ["layout diagonal: block 20"]);
    const half = { ...answer, points: points.slice(0, 3) };
    assert.deepEqual(notLookedAt(half, block), ["no value of block for 1 other combinations of layout"]);
    assert.deepEqual(notLookedAt({ ...answer, axes: [block], points: [points[0]!] }, block), ["block 20, 40"]);
});

test("what is copied are exact numbers", () => {
    const shown = { ...answer, axes: answer.axes.slice(0, 2) };
    assert.equal(tableText(shown, [points[4]!]), "layout\tblock\tstandard_ns\toverestimate_ns\toverlapped_ns\tcomputation_ns\ndiagonal\t40\t20000000\t40000000\t10000000\t10000000\n");
});

test("models have no unit, and as many digits as on the terminal", () => {
    assert.equal(valueText({ ...answer, input: { ...answer.input, form: "model" } }, 5.1), "5.10000");
    assert.equal(valueText(answer, 5.1e6), "5.10 ms");
    // src/answer/number_text.h
    assert.deepEqual([10.1056, 10125085, 0.000000123457, 1e20, 0, 9.9999999].map(numberText), ["10.1056", "10125085", "1.23457e-07", "1e+20", "0", "10.0000"]);
});

test("axes have round numbers within them, few enough to be read", () => {
    assert.deepEqual(timeUnit(2.5e9), { ns: 1e9, name: "s" });
    assert.deepEqual(timeUnit(12), { ns: 1, name: "ns" });
    for (const values of [[9.6, 27], [0.3, 19], [33, 58], [5, 5], [0, 0], [1e-3, 1e6], [98, 99]]) {
        const scale = valueScale(values, 400, 0, 8);
        assert(scale.ticks.length >= 1 && scale.ticks.length <= 10, `${values}: ${scale.ticks}`);
        for (const at of [...values, ...scale.ticks].map((value) => scale.at(value))) {
            assert(at >= -1e-6 && at <= 400 + 1e-6, `${values}: ${at}`);
        }
        assert(scale.at(values[0]!) >= scale.at(values[1]!), `${values}: more is higher`);
    }
});
