// Does the page of `parcast view` open before the counts are replayed, and fill as they are? Can it be stopped?

import assert from "node:assert/strict";
import { cells, figures, scenario, settled, saysPrediction } from "./page.mjs";
import { pausedView, predicted } from "./program.mjs";

const name = "long";
const noRanges = ["--runs", "0"]; // their replays would take most of the time

scenario(
    "what was recorded is seen while nothing was replayed, a chosen count is replayed first, and the rest when it goes on",
    async () => (await pausedView(name, "--jobs", "1", ...noRanges)).address,
    async (page) => {
        const bar = page.locator(".runs-bar");
        await bar.getByText("Stopped").waitFor();
        await bar.getByText("what was recorded on one CPU").waitFor();
        assert.match(await page.locator("h1").textContent(), /^histogram 8 300000/);
        assert.equal((await figures(page)).speedUp, undefined, "a recording is no prediction");
        assert.equal(await page.locator(".count-field input").first().inputValue(), "1");

        const four = predicted(name, ...noRanges).predictions.find(({ cpus }) => cpus === 4);
        await page.getByLabel("CPUs, number", { exact: true }).fill("4");
        await page.getByLabel("CPUs, number", { exact: true }).press("Enter");
        await page.locator(".overview:not(.stale) .figures", { hasText: "on 4 CPUs" }).waitFor();
        await bar.getByText("Stopped").waitFor();
        await page.getByRole("button", { name: "As tables" }).click();
        const rows = await cells(page.locator(".chart table"));
        assert.ok(rows.some(([cpus]) => cpus === "4"), "its time is in the chart");
        assert.ok(rows.length < predicted(name, ...noRanges).predictions.length, "the others are not");

        await bar.getByRole("button", { name: "Go on" }).click();
        await settled(page);
        assert.match((await figures(page)).time, /\d/);
        await saysPrediction(page, four);
        assert.equal((await cells(page.locator(".chart table"))).length, predicted(name, ...noRanges).predictions.length);
    },
    { unsettled: true },
);

scenario(
    "the page goes to the count that the verdict is about once all are replayed, unless somebody chose one",
    async () => (await pausedView(name, "--jobs", "1", "--cpus", "1,2,4,8", ...noRanges)).address,
    async (page) => {
        await page.locator(".runs-bar").getByRole("button", { name: "Go on" }).click();
        await settled(page);
        const { scaling, predictions } = predicted(name, "--cpus", "1,2,4,8", ...noRanges);
        const expected = predictions.find(({ cpus }) => cpus === scaling.first_cpus_beyond) ?? predictions.at(-1);
        await page.locator(".overview:not(.stale) .figures", { hasText: `on ${expected.cpus} CPUs` }).waitFor();
        await saysPrediction(page, expected);
    },
    { unsettled: true },
);

scenario(
    "the page is there before the replays that ranges take, says how far they are, and shows the ranges at their end",
    async () => (await pausedView("longer", "--jobs", "1", "--cpus", "2", "--runs", "6")).address,
    async (page) => {
        const bar = page.locator(".runs-bar");
        await bar.getByRole("button", { name: "Go on" }).click();
        await bar.getByText(/^Replaying for the ranges: \d+ of 12 replays done/).waitFor();
        await page.locator(".overview").getByText("on 2 CPUs").first().waitFor();
        await settled(page);
        await page.getByRole("button", { name: "As tables" }).click();
        assert.ok(await page.locator(".chart table").getByText("90 %").count(), "the chart has them");
    },
    { unsettled: true },
);
