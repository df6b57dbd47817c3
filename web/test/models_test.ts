import assert from "node:assert/strict";
import { test } from "node:test";
import { commandFor, fromHash, initialOver, initialValues, placeOf, scaleOf, simulatedIn, sweptValues, toHash, valuesOfRow, type ModelDocument } from "../src/models/model.ts";

const model: ModelDocument = {
    parcast: "0",
    file: "runs/repair model.pam",
    of: "main",
    per: "N",
    has_phases: false,
    has_server: false,
    levels: [50, 95, 99],
    options: ["--per", "N", "--quantiles", "50,95,99", "--seed", "3"],
    simulation: { runs: "", precision: "", seed: "3" },
    text: "",
    files: [],
    sweeps: [{ name: "P", values: [1, 10, 100], is_logarithmic: true }],
    notes: [],
    assumptions: [],
    parameters: [
        { name: "P", value: 1, is_count: true },
        { name: "N", value: 1000, is_count: true },
        { name: "over", value: 0.25, is_count: false },
    ],
    settings: [],
    immovable: [],
    resources: [],
    phases: [],
    refusal: null,
    equations: [],
    prediction: { predictions: [], notes: [] },
};
const initial = { values: initialValues(model), over: initialOver(model) };

test("a page begins with the values that it was given, over the parameter that is swept", () => {
    assert.deepEqual(initial, { values: [1, 1000, 0.25], over: "P" });
    assert.equal(initialOver({ ...model, sweeps: [] }), "P", "the first count");
    assert.equal(initialOver({ ...model, sweeps: [], parameters: [] }), "");
});

test("the address has what differs from the beginning, and leads back there", () => {
    assert.equal(toHash(model, initial, initial), "");
    for (const wish of [
        { values: [8, 1000, 0.25], over: "P" },
        { values: [1, 1000, 1e-7], over: "over" },
        { values: [1, 2, 3], over: "N" },
    ]) {
        assert.deepEqual(fromHash(model, `#${toHash(model, wish, initial)}`, initial), wish);
    }
});

test("a parameter may be called over", () => {
    const wish = { values: [1, 1000, 7], over: "N" };
    const words = new URLSearchParams(toHash(model, wish, initial));
    assert.deepEqual([words.get("over"), words.get("chart-over")], ["7", "N"]);
});

test("what an address has no number for stays as it is", () => {
    assert.deepEqual(fromHash(model, "#P=many&N=&over=Infinity&chart-over=Q&other=3", initial), initial);
});

test("the command has the values, and every option that the page was written with", () => {
    assert.equal(commandFor(model, [8, 1000, 0.5]), "parcast predict 'runs/repair model.pam' --set P=8 --set N=1000 --set over=0.5 --per N --quantiles 50,95,99 --seed 3 --method both");
    assert.match(commandFor({ ...model, file: "it's.pam" }, [1, 1, 1]), /^parcast predict 'it'\\''s\.pam' /);
});

test("a slider goes as far as the sweep, else around the value, which is one of its places", () => {
    assert.deepEqual(scaleOf({ name: "P", value: 4, is_count: true }, undefined).values, Array.from({ length: 40 }, (_, i) => i + 1), "counts are whole, from 1 on");
    const swept = scaleOf(model.parameters[0]!, { name: "P", values: [1, 1000], is_logarithmic: true });
    assert.deepEqual([swept.values[0], swept.values.at(-1), swept.isLogarithmic], [1, 1000, true]);
    assert(swept.values.every(Number.isInteger));
    const share = scaleOf({ name: "hit", value: 0.9, is_count: false }, undefined);
    assert.deepEqual([share.values[0], share.values.at(-1)], [0, 1]);
    for (const value of [0.123456, 3.7, -5, 0, 1e-9, 123456]) {
        const { values } = scaleOf({ name: "t", value, is_count: false }, undefined);
        assert(values.includes(value), String(value));
        assert(values.every((each, i) => i === 0 || each > values[i - 1]!), "they rise");
        assert.equal(values[placeOf({ values, isLogarithmic: false }, value)], value);
    }
});

test("the table has the values that were asked for, else round ones and where the reader is", () => {
    const scale = scaleOf(model.parameters[0]!, model.sweeps[0]);
    assert.deepEqual(sweptValues(scale, model.sweeps[0], 7), [1, 10, 100]);
    assert.deepEqual(sweptValues(scale, undefined, 7), [1, 2, 5, 7, 10, 20, 50, 100]);
    const many = Array.from({ length: 1000 }, (_, i) => i + 1);
    const rows = sweptValues(scale, { name: "P", values: many, is_logarithmic: false }, 7);
    assert(rows.length <= 62 && rows[0] === 1 && rows.at(-1) === 1000, `${rows.length} rows`);
});

test("a row of a prediction has the values of the text for what it does not name", () => {
    assert.deepEqual(valuesOfRow(model, { parameters: { P: 10 } }), [10, 1000, 0.25]);
});

test("a row that was simulated has its mean with the interval, and the deviation", () => {
    assert.equal(simulatedIn({ parameters: {} }, []), null);
    const row = { parameters: {}, simulated: { time: { mean: 3, variance: 4 }, confidence_95: { mean: [2.5, 3.5] as const }, quantiles: {}, runs: 20 } };
    assert.deepEqual(simulatedIn(row, ["a note"]), { mean: 3, low: 2.5, high: 3.5, deviation: 2, runs: 20, notes: ["a note"] });
});
