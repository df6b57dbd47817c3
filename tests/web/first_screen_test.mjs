// Does the first screen say what `parcast predict` says?

import assert from "node:assert/strict";
import { cells, says, saysPrediction, scenario } from "./page.mjs";
import { hasPigz, predicted, shownFirst, ways } from "./program.mjs";

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
            rows.forEach(([cpus, time, speedUp, bounds], i) => {
                const row = predictions[i];
                says(cpus, row.cpus, "CPUs");
                says(time, row.time_ns, "time");
                says(speedUp, row.speed_up, "speed-up");
                bounds.split(" – ").forEach((bound, side) => says(bound, row.speed_up_bounds[side], "bound"));
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
