import assert from "node:assert/strict";
import { test } from "node:test";
import { measuredSentence } from "../src/measured.ts";

const on = (cpus: number, speed_up: number, low: number, high: number) => ({ cpus, speed_up, low, high, time_ns: 1e9, explanation: ["It waits."] });
const predicted = [
    { cpus: 1, speedUp: 1 },
    { cpus: 2, speedUp: 1.9 },
    { cpus: 4, speedUp: 3 },
];

test("a prediction within what was measured, or near it, is no contradiction", () => {
    for (const [low, high] of [[1.5, 2], [1.81, 1.85]] as const) {
        const says = measuredSentence([on(2, 1.82, low, high)], predicted, 2);
        assert.equal(says!.contradicts, false, `${low} to ${high}`);
        assert.match(says!.text, /On 2 CPUs it was measured 1\.82 times as fast as on one .*, predicted 1\.90\.$/);
        assert.deepEqual(says!.explanation, []);
    }
});

test("a prediction that was measured otherwise is said to be wrong, with the reason", () => {
    const says = measuredSentence([on(2, 1.4, 1.3, 1.5)], predicted, 2);
    assert.equal(says!.contradicts, true);
    assert.match(says!.text, /the prediction of 1\.90 is 36 % too high\.$/);
    assert.deepEqual(says!.explanation, ["It waits."]);
    assert.match(measuredSentence([on(2, 2.4, 2.3, 2.5)], predicted, 2)!.text, /too low\.$/);
});

test("where nothing was measured, the count that differs most is spoken of", () => {
    const says = measuredSentence([on(2, 1.89, 1.8, 2), on(4, 2, 1.9, 2.1)], predicted, 8);
    assert.match(says!.text, /^On 4 CPUs/);
});

test("nothing measured, or nothing predicted there, has no sentence", () => {
    assert.equal(measuredSentence([], predicted, 2), null);
    assert.equal(measuredSentence([on(16, 5, 4, 6)], predicted, 2), null);
});
