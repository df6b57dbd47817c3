// Does the first screen say what `parcast predict` says?

import assert from "node:assert/strict";
import { cells, says, saysPrediction, scenario } from "./page.mjs";
import { hasPigz, predicted, shownFirst, view, ways } from "./program.mjs";

const programs = ["gateway", "one_lock", ...(hasPigz ? ["pigz"] : [])];

for (const [way, address] of Object.entries(ways)) {
    for (const name of programs) {
        scenario(`${way} of ${name}: figures and sentences are those of predict`, () => address(name), async (page) => {
            const answer = predicted(name);
            await saysPrediction(page, shownFirst(name));
            const [extent, limit] = answer.scaling.verdict;
            assert.equal(await page.locator(".extent").textContent(), extent);
            // Up to the name of an object: the page has room for less of it.
            const [beginning] = /^.* is lost to waiting for \w+|^.*/.exec(limit);
            assert.ok((await page.locator(".sentences dd").first().textContent()).startsWith(beginning), limit);
        });

        scenario(`${way} of ${name}: the chart as a table has every predicted count`, () => address(name), async (page) => {
            const { predictions } = predicted(name);
            await page.getByRole("button", { name: "As tables" }).click();
            const rows = await cells(page.getByRole("table", { name: "Predicted speed-up" }));
            assert.equal(rows.length, predictions.length);
            rows.forEach(([cpus, time, speedUp, range, bounds], i) => {
                const row = predictions[i];
                says(cpus, row.cpus, "CPUs");
                says(time, row.time_ns, "time");
                says(speedUp, row.speed_up, "speed-up");
                const { low, high } = row.range.speed_up;
                range.split(" – ").filter((end) => end !== "").forEach((end, side) => says(end, [low, high][side], "range"));
                assert.equal(range === "", row.cpus === 1, "one CPU is as fast as itself");
                assert.equal(bounds.endsWith(" *"), row.bounds_note !== null, `${cpus} CPUs: ${bounds}`);
                bounds.replace(/ \*$/, "").split(" – ").forEach((bound, side) => says(bound, [row.bounds.lower, row.bounds.upper][side], "bound"));
            });
        });

        scenario(`${way} of ${name}: the bar for the run has the busy time of predict`, () => address(name), async (page) => {
            const { limits } = shownFirst(name);
            await page.getByRole("button", { name: "As tables" }).click();
            const rows = await cells(page.getByRole("table", { name: "Processor time" }));
            const busy = rows.find(([what]) => what === "busy");
            says(busy[2], limits.find((limit) => limit.cause === "busy").processor_time_ns, "busy");
        });
    }
}

// What `parcast view` answers, but that the prediction on 2 CPUs lies outside its bounds.
function withOutsideBounds() {
    const ask = window.fetch;
    window.fetch = async (address, options) => {
        const answer = await ask(address, options);
        if (!/overview\.json(\?now=1)?$/.test(String(address))) {
            return answer;
        }
        const overview = await answer.json();
        const run = overview.prediction.predictions.find(({ cpus }) => cpus === 2);
        run.bounds = { lower: run.speed_up * 1.1, upper: run.speed_up * 1.2 };
        for (const each of overview.prediction.predictions) {
            each.bounds_note = each === run ? "outside the bounds, <b>because</b>" : null; // a recording beside other work may have some
        }
        return new Response(JSON.stringify(overview));
    };
}

scenario("a speed-up below its own lower bound: the chart marks it, and says why that can be", () => view("gateway"), async (page) => {
    assert.equal(await page.locator(".chart-note").textContent(), "* outside the bounds, <b>because</b>");
    const marked = page.locator(".dot", { has: page.locator(".outside") });
    assert.equal(await marked.count(), 1);
    assert.match(await marked.getAttribute("aria-label"), /^2 CPUs: .*outside the ideal range/);
    await page.getByRole("button", { name: "As tables" }).click();
    const rows = await cells(page.getByRole("table", { name: "Predicted speed-up" }));
    assert.deepEqual(rows.filter(([, , , , bounds]) => bounds.endsWith("*")).map(([cpus]) => cpus), ["2"]);
    assert.equal(await page.locator(".chart-note").count(), 1, "the table has the same mark");
}, { before: withOutsideBounds });

scenario("predictions within their bounds have no such note", () => view("gateway"), async (page) => {
    const isOutside = predicted("gateway").predictions.some((run) => run.bounds_note !== null);
    assert.equal(await page.locator(".chart-note").count(), isOutside ? 1 : 0);
});
