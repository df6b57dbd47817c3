// Does the page show what was measured: beside the predicted speed-ups, and the recorded execution below a predicted one?

import assert from "node:assert/strict";
import { cells, chooseCount, fact, says, scenario, settled, untilAddress } from "./page.mjs";
import { measured, predicted, view, ways } from "./program.mjs";

const name = "gateway";
const speedUpOn2 = () => predicted(name).predictions.find((row) => row.cpus === 2).speed_up;

for (const [way, open] of Object.entries(ways)) {
    scenario(`${way}: a measured speed-up lies in the chart with its range, and in the table`, () => open(name, "--measured", measured(name, 1.11, 1.22, 1.33)), async (page) => {
        await page.locator(".measured circle").waitFor();
        assert.equal(await page.locator(".measured title").textContent(), "measured on 2 CPUs: 1.22 (1.11 to 1.33), 1.25 s");
        await page.getByRole("button", { name: "As tables" }).click();
        const row = (await cells(page.locator(".chart table"))).find(([cpus]) => cpus === "2");
        assert.equal(row.at(-1), "1.22 (1.11 – 1.33)");
        says(row[2], speedUpOn2(), "predicted beside it");
    });

    scenario(`${way}: what was recorded is compared with what is predicted, on one scale`, () => open(name), async (page) => {
        await page.getByRole("button", { name: "Compare" }).click();
        await page.locator(".second label", { hasText: "recorded on one CPU" }).click();
        await page.locator(".strip", { hasText: "recorded on 1 CPU" }).waitFor();
        await settled(page);
        assert.equal(await page.locator(".timeline").count(), 2);
        assert.equal(await page.locator(".second .slider").count(), 0, "there is one recording, on one CPU");
        await page.getByLabel("Timeline below").locator(".lanes-stage").focus();
        await page.keyboard.press("ArrowRight");
        await page.keyboard.press("Escape");
        await untilAddress(page, "compare", /^a\.1\.recorded$/);
        await page.locator(".second label", { hasText: "predicted" }).click();
        await page.locator(".strip", { hasText: /1 CPU, linux/ }).waitFor();
    });
}

scenario("a measurement that contradicts the prediction is said, with its reasons as text", () => view(name, "--measured", measured(name, 0.11, 0.12, 0.13)), async (page) => {
    await chooseCount(page, 2);
    const said = await page.locator(".sentences .contradiction").textContent();
    assert.match(said, /On 2 CPUs it was measured 0\.12 times as fast as on one \(0\.11 to 0\.13\): the prediction of .* is .* % too high\./);
    assert.match(said, /It was <b>measured<\/b> elsewhere\./);
});

scenario("--compare recorded begins with the recorded execution below", () => view(name, "--compare", "recorded"), async (page) => {
    await page.locator(".strip", { hasText: "recorded on 1 CPU" }).waitFor();
    await settled(page);
    assert.equal(await fact(page, "Scheduler"), "linux", "the details are those of the upper one");
});
