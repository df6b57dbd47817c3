// Is a program of threads that was written down shown as a recording is: replayed as one asks, with the lines of its file?

import assert from "node:assert/strict";
import { chooseCount, chooseScheduler, fact, saysPrediction, scenario } from "./page.mjs";
import { predicted, ways } from "./program.mjs";

const name = "two_producers";

for (const [way, open] of Object.entries(ways)) {
    scenario(`${way}: a written program has the numbers of predict under every scheduler`, () => open(name, "--cpus", "1,2,3"), async (page) => {
        for (const scheduler of ["round-robin", "ideal", "linux"]) {
            await chooseScheduler(page, scheduler);
            for (const row of predicted(name, "--scheduler", scheduler, "--cpus", "1,2,4").predictions) {
                await chooseCount(page, row.cpus);
                await saysPrediction(page, row);
            }
        }
        assert.match(await fact(page, "Program"), /ducers\.threads\.json$/);
    });

    scenario(`${way}: the lines of a written program are its source`, async () => `${await open(name, "--cpus", "1,2,3")}#select=site.3`, async (page) => {
        const source = page.locator(".details .source pre");
        await source.waitFor();
        assert.match(await source.textContent(), /"create consumer"/);
    });
}
