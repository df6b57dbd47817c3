import assert from "node:assert/strict";
import { test } from "node:test";
import { causesChart, eventsChart, factsOf, figureChart, figures, shownColumns, speedUpChart, tableText, workChart, type OverThreads, type Recording, type SignatureAnswer } from "../src/signature/signature.ts";

const same = (mean: number): OverThreads => ({ mean, ci95: null, min: mean, max: mean });
const spread: OverThreads = { mean: 10, ci95: 2, min: 5, max: 20 };

const recording = (threads: number, events: number): Recording => ({
    file: `runs/solver.${threads}.parcast`,
    threads,
    cpus: threads,
    events,
    kappa: same(events / threads),
    active_ns: spread,
    alpha_ns: same(1000),
    beta_ns: same(2000),
    write_ns: same(30),
    read_ns: same(40),
    algorithmic_blocking_ns: same(35),
    other_blocking_ns: same(5),
    data_bytes: same(0),
    active_share: same(0.5),
    gamma: 2,
    eta: 0.25,
    nu: threads / 2,
    nu_active: threads / 3,
    a: null,
    b: null,
    imbalance: 0.1,
    work_ns: 8000 + events,
    time_ns: 9000,
    speed_up: null,
    speed_up_bound: threads / 4,
    event_cost_ns: 0,
    laws: { theorem: null, amdahl: null, gustafson: null, universal: null, measured: null },
    profile: [],
    thread_rows: null,
});
const recordings = [recording(2, 100), recording(4, 400)];
const answer: SignatureAnswer = {
    parcast: "1",
    verdict: ["It is quadratic."],
    recordings,
    characteristic: {
        class: "quadratic",
        formula: "25*P^2",
        exponent: 2,
        exponent_ci95: { low: 1.9, high: 2.1 },
        candidates: [
            { class: "linear", formula: "200*P", exponent: null, relative_error: 0.7, residuals: [Math.log(0.25), Math.log(0.5)], chosen: false, as_good: false },
            { class: "power", formula: "25*P^2", exponent: 2, relative_error: 0, residuals: [0, 0], chosen: true, as_good: false },
        ],
    },
    theta_ns: 1,
    theta_source: "machine",
    series_theta_ns: 3,
    series_theta_ci95_ns: { low: -2, high: 8 },
    machine_theta_ns: null,
    conserved_work_ns: 8000,
    work_of_one: { ns: 8000, meaning: "the work without events" },
    alpha: 8000,
    optimum: { p_smax: 17.9, s_max: 8.94, best_p: 18, inflection: 31, limit: null, flat: { from: 13, to: 25 }, sentence: "", refused: null },
    scaled: null,
    other_laws: { amdahl: { serial: 0.05 }, gustafson: { serial: 0.1 }, universal: null },
    causes: [{ text: "condition signal (send, solver.cpp:9)", growth_share: 0.78, growth: "P^2.00", exponent: 2, formula: "19*P^2", events: [0, 300] }],
    notes: [],
    next: [],
};

test("the chosen function comes first beside what was counted; residuals lead from the counts to it", () => {
    const { lines, threads } = eventsChart(answer);
    assert.deepEqual(threads, [2, 4]);
    assert.deepEqual(lines.map((line) => line.name), ["counted", "power, chosen", "linear"]);
    assert.deepEqual(lines[1]!.values.map((value) => Math.round(value!)), [100, 400]);
    assert.deepEqual(lines[2]!.values.map((value) => Math.round(value!)), [400, 800]);
});

test("the signature is the work by thread, with the work that is left without events", () => {
    const [work, without] = workChart(answer).lines;
    assert.deepEqual(work!.values, [4050, 2100]);
    assert.deepEqual(without!.values, [4000, 2000]);
    assert.equal(workChart({ ...answer, theta_ns: null }).lines.length, 1, "nobody knows the price of an event");
});

test("a figure has the mean, its interval, the least and the most", () => {
    const { lines, bands } = figureChart(answer, figures[0]!);
    assert.deepEqual(lines[0]!.values, [10, 10]);
    assert.deepEqual([bands[0]!.low, bands[0]!.high], [[8, 8], [12, 12]]);
    assert.deepEqual([bands[1]!.low, bands[1]!.high], [[5, 5], [20, 20]]);
    const one = figureChart(answer, figures[1]!);
    assert.deepEqual(one.bands[0]!.low, one.lines[0]!.values, "one thread has no interval");
});

test("laws that nobody could fit are not drawn", () => {
    assert.deepEqual(speedUpChart(answer).lines, []);
    const withOne = { ...answer, recordings: recordings.map((each) => ({ ...each, speed_up: each.threads, laws: { ...each.laws, amdahl: 1.5, measured: { median: 1, min: 0.9, max: 1.1 } } })) };
    assert.deepEqual(speedUpChart(withOne).lines.map((line) => line.name), ["replay", "Amdahl", "measured"]);
    assert.deepEqual(speedUpChart(withOne).bands[0]!.high, [1.1, 1.1]);
});

test("a cause without events at some number of threads has no point there", () => {
    const [line] = causesChart(answer).lines;
    assert.deepEqual(line!.values, [null, 300]);
    assert.equal(line!.name, "condition signal (send, solver.cpp:9)");
});

test("columns without values are left out; what is copied has exact numbers", () => {
    const names = shownColumns(answer).map((column) => column.name);
    assert.deepEqual(names.filter((name) => ["S", "a", "b", "data"].includes(name)), []);
    const [head, first] = tableText(answer, recordings).split("\n").map((line) => line.split("\t"));
    assert.deepEqual(head, names);
    assert.equal(first![names.indexOf("W")], "8100");
});

test("what follows from the fit is named with its interval; what is not known is left out", () => {
    const facts = new Map(factsOf(answer).map((fact) => [fact.name, fact.value]));
    assert.equal(facts.get("exponent"), "2.00 (1.90 to 2.10)");
    assert.equal(facts.get("θ, of the machine"), "1 ns");
    assert.equal(facts.get("θ by the series"), "3 ns (-2 ns to 8 ns)");
    assert.equal(facts.get("best P"), "18");
    assert.equal(facts.get("W(P)/P within 5 %"), "13.0 to 25.0");
    assert.equal(facts.has("limit of S"), false);
    assert.equal(facts.has("contention, coherency"), false);
});
