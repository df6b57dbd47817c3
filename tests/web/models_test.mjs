// Does the page of a model say, for whatever values its reader chooses, what `parcast predict MODEL --set ...` prints? In a
// report the numbers come from the module that it carries, behind `view` the simulated ones from the server.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { inAddress, scenario } from "./page.mjs";
import { answered, predicted, recording, report, ways } from "./program.mjs";

const opened = { unsettled: true };
const asked = ["--set", "N=1000", "--sweep", "P=1,10,100", "--per", "N"];
const region = (page, name) => page.getByRole("region", { name, exact: true });
const lead = (page) => region(page, "Verdict").locator(".tuning-lead");
const slider = (page, name) => page.getByRole("slider", { name, exact: true });
const number = (page, name) => page.getByLabel(`${name}, number`, { exact: true });
const grid = (page, name) => page.getByRole("grid", { name, exact: true });
const rows = async (page, name) => (await grid(page, name).locator(".table-body [role=row]").first().waitFor(), grid(page, name).locator(".table-body [role=row]").evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent.trim()))));
const headings = async (page, name) => (await grid(page, name).waitFor(), grid(page, name).locator(".table-head > *").evaluateAll((all) => all.map((cell) => cell.textContent.replace(/[▲▼↑↓]/gu, "").trim())));
const command = (page) => region(page, "Simulation").locator("code").textContent();

// Numbers of a page have six digits, and a sign of their own.
function near(text, expected, what, relative = 1e-5) {
    const found = Number(text.replace("−", "-").replaceAll(",", "").replace(" %", ""));
    assert.ok(Math.abs(found - expected) <= Math.max(relative * Math.abs(expected), 1e-12), `${what}: "${text}" is not ${expected}`);
}

async function type(page, name, value) {
    await number(page, name).fill(String(value));
    await number(page, name).press("Enter");
    await page.waitForFunction(([wanted, text]) => document.querySelector(`input[type=range][aria-label="${wanted}"]`)?.getAttribute("aria-valuetext") === text, [name, String(value)]);
}

const leadMean = async (page) => /takes (\S+)/.exec(await lead(page).textContent())[1].replace(/,$/, "");
const only = (answer) => answer.predictions[0];
const exactly = (name, ...words) => only(predicted(name, ...words));

for (const [way, open] of Object.entries(ways)) {
    scenario(`${way} of a model: what it says follows a slider, as predict --set prints it`, () => open("repair", ...asked), async (page) => {
        near(await leadMean(page), exactly("repair", "--set", "N=1000", "--set", "P=1", "--per", "N").time.mean, "at first");
        await slider(page, "P").focus();
        await page.keyboard.press("ArrowRight");
        const moved = await slider(page, "P").getAttribute("aria-valuetext");
        assert.notEqual(moved, "1");
        near(await leadMean(page), exactly("repair", "--set", "N=1000", "--set", `P=${moved}`, "--per", "N").time.mean, "after one step");
        for (const [clients, turns] of [[50, 1000], [300, 200]]) {
            await type(page, "P", clients);
            await type(page, "N", turns);
            const row = exactly("repair", "--set", `N=${turns}`, "--set", `P=${clients}`, "--per", "N");
            const words = await lead(page).textContent();
            near(await leadMean(page), row.time.mean, `${clients} clients`);
            near(/deviation of (\S+?);/.exec(words)[1], Math.sqrt(row.time.variance), "its deviation");
            near(/within (\S+)\.$/.exec(words)[1], row.quantiles["99"], "99 %");
            assert.match(await region(page, "Verdict").textContent(), row.bound_by === "critical_path" ? /The critical path bounds the time/ : /s bounds the time/);
        }
    }, opened);

    scenario(`${way} of a model: the simulation is that of the command beside it`, () => open("lock", "--set", "N=60", "--method", "both", "--runs", "40", "--seed", "5", "--per", "N"), async (page) => {
        await type(page, "P", 6);
        assert.equal(await page.locator(".model-simulated").count(), 0);
        await page.getByRole("button", { name: "Simulate", exact: true }).click();
        await page.locator(".model-simulated").waitFor();
        const shown = await page.locator(".model-simulated").textContent();
        const { time, simulated } = only(answered(await command(page)));
        const [low, high] = simulated.confidence_95.mean;
        near(/simulated (\S+)/.exec(shown)[1], simulated.time.mean, "the mean");
        near(/± (\S+?),/.exec(shown)[1], (high - low) / 2, "its interval", 1e-4);
        near(/deviation (\S+);/.exec(shown)[1], Math.sqrt(simulated.time.variance), "the deviation");
        near(/by formula ([\d.]+)/.exec(shown)[1].replace(/\.$/, ""), time.mean, "beside it");
        assert.match(shown, /40 runs/);
        const column = (await headings(page, "Points")).indexOf("simulated");
        const [row] = (await rows(page, "Points")).filter(([threads]) => threads === "6");
        near(row[column], simulated.time.mean, "and in the table");
        await type(page, "P", 7);
        await page.waitForFunction(() => !document.querySelector(".model-simulated"));
    }, opened);
}

scenario("a model: each point of the sweep, with its quantiles, is that of predict", async () => report("repair", ...asked), async (page) => {
    const names = await headings(page, "Points");
    const shown = await rows(page, "Points");
    const { predictions } = predicted("repair", ...asked);
    assert.deepEqual(shown.map(([clients]) => Number(clients)), predictions.map(({ parameters }) => parameters.P));
    predictions.forEach((row, i) => {
        const cell = (name) => shown[i][names.indexOf(name)];
        near(cell("mean"), row.time.mean, "mean");
        near(cell("std"), Math.sqrt(row.time.variance), "std");
        near(cell("MVA"), row.mva, "MVA");
        for (const [level, value] of Object.entries(row.quantiles)) {
            near(cell(`${level} %`), value, `${level} %`);
        }
    });
}, opened);

scenario("a model: MVA that is not known for other values is not shown as if it were", async () => report("repair", ...asked), async (page) => {
    await type(page, "N", 500);
    assert.equal((await headings(page, "Points")).includes("MVA"), false);
    assert.match(await region(page, "Points").textContent(), /MVA is known only for the values that this page was written with/);
}, opened);

scenario("a model: the table sorts, is copied with exact numbers, and a row moves the slider", async () => report("repair", ...asked), async (page) => {
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const heading = region(page, "Points").getByRole("button", { name: /^P\b/ });
    await heading.click();
    await heading.click();
    assert.deepEqual((await rows(page, "Points")).map(([clients]) => clients), ["100", "10", "1"]);
    await region(page, "Points").getByRole("button", { name: "Copy table" }).click();
    await region(page, "Points").getByRole("button", { name: "Copied" }).waitFor();
    const [head, first, ...others] = (await page.evaluate(() => navigator.clipboard.readText())).trim().split("\n").map((line) => line.split("\t"));
    const row = predicted("repair", ...asked).predictions[2];
    assert.equal(others.length, 2);
    assert.equal(Number(first[head.indexOf("P")]), 100, "in the order that is shown");
    assert.ok(Math.abs(Number(first[head.indexOf("mean")]) - row.time.mean) <= 1e-12 * row.time.mean, "with all digits");
    await grid(page, "Points").locator(".table-body [role=row]").nth(1).click();
    assert.equal(await slider(page, "P").getAttribute("aria-valuetext"), "10");
}, opened);

scenario("a model: what each parameter does is what predict --sensitivity prints", async () => report("repair", ...asked), async (page) => {
    await type(page, "P", 100);
    const { sensitivity } = exactly("repair", "--set", "N=1000", "--sweep", "P=100", "--per", "N", "--sensitivity");
    const shown = await rows(page, "Sensitivity");
    for (const effect of sensitivity) {
        const row = shown.find(([name]) => name === effect.parameter);
        const [, value, mean, variance, slope] = row;
        assert.equal(Number(value), effect.value);
        assert.ok(Math.abs(Number(mean.replace("−", "-")) - effect.mean_elasticity) <= 6e-4, `${mean} is not ${effect.mean_elasticity}`);
        assert.ok(Math.abs(Number(variance.replace("−", "-")) - effect.variance_elasticity) <= 6e-4, `${variance} is not ${effect.variance_elasticity}`);
        near(slope, effect.mean_slope, "per unit", 1e-4);
    }
}, opened);

scenario("a model: phases are those of predict --phases", async () => report("sorting", "--set", "N=4096", "--set", "P=8", "--phases"), async (page) => {
    const { phases } = exactly("sorting", "--set", "N=4096", "--set", "P=8", "--phases");
    const shown = await rows(page, "Phases");
    assert.deepEqual(shown.length, phases.length);
    phases.forEach((phase, i) => near(shown[i][1], phase.time.mean, `phase ${i}`));
    assert.match(await command(page), / --phases /);
}, opened);

scenario("a model: the address keeps the values and what the chart is over", async () => report("awkward"), async (page) => {
    await type(page, "value", 5);
    await type(page, "over", 40);
    await page.locator(".choice label", { hasText: "value" }).click();
    await page.getByRole("group", { name: /^Time over \d+ values of value/ }).waitFor();
    await page.waitForFunction(() => new URLSearchParams(location.hash.slice(1)).get("chart-over") === "value");
    assert.deepEqual([await inAddress(page, "over"), await inAddress(page, "value"), await inAddress(page, "N")], ["40", "5", null]);
    await page.reload();
    await page.getByRole("group", { name: /^Time over \d+ values of value/ }).waitFor();
    assert.equal(await slider(page, "over").getAttribute("aria-valuetext"), "40", "a parameter that is called over");
    near(await leadMean(page), 45, "40 + 5, more than 4 * 5");
    await page.getByRole("button", { name: "Reset" }).click();
    near(await leadMean(page), 8, "4 * 2, more than 3 + 2");
    await page.waitForFunction(() => new URLSearchParams(location.hash.slice(1)).get("value") === null);
}, opened);

scenario("a model: the chart can be gone along by arrow keys", async () => report("repair", ...asked), async (page) => {
    const chart = page.getByRole("group", { name: /^Time over \d+ values of P/ });
    await chart.focus();
    await page.keyboard.press("End");
    const words = await page.locator(".lanes-tooltip:not([hidden]) > *").allTextContents();
    assert.match(words[0], /100/);
    near(/^mean: (\S+)/.exec(words[1])[1], predicted("repair", ...asked).predictions[2].time.mean, "the mean");
}, opened);

scenario("a model: values without a time are said to have none, and the page goes on", async () => report("repair", ...asked), async (page) => {
    await type(page, "N", 0);
    assert.match(await lead(page).textContent(), /^With these values there is no time: .+\.$/);
    assert.equal(await page.getByRole("button", { name: "Simulate", exact: true }).isDisabled(), true);
    await page.getByRole("button", { name: "Reset" }).click();
    near(await leadMean(page), predicted("repair", ...asked).predictions[0].time.mean, "after a reset");
}, opened);

scenario("a model: formulas are typeset, and are copied as the model that parcast reads", async () => report("repair", ...asked), async (page) => {
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const formulas = region(page, "Formulas");
    await formulas.locator("math").nth(3).waitFor();
    assert.equal(await formulas.locator("math").count(), 4);
    const box = await formulas.locator("math").first().boundingBox();
    assert.ok(box.width > 20 && box.height > 10, "the browser draws it");
    await formulas.getByRole("button", { name: "Copy as a model" }).click();
    await formulas.getByRole("button", { name: "Copied" }).waitFor();
    assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^numeric phi_main = .*\n(.*\n)*numeric T_main = .*\n$/);
}, opened);

scenario("a model: its text is text", async () => report("awkward"), async (page) => {
    assert.equal(await region(page, "Model").locator("pre").textContent(), await readFile(recording("awkward"), "utf8"));
}, opened);

scenario("a model: what the page was saved as is what predict --json prints", async () => report("repair", ...asked), async (page) => {
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save as JSON" }).click();
    const saved = JSON.parse(await readFile(await (await download).path(), "utf8"));
    assert.deepEqual(saved.predictions, predicted("repair", ...asked).predictions);
}, opened);

scenario("without scripts a model is read as predict prints it, with its formulas and its text", async () => report("repair", ...asked), async (page) => {
    const text = await page.locator("noscript pre").textContent();
    for (const word of ["10.9076", "numeric T_main = ", "fork P clients"]) {
        assert.ok(text.includes(word), word);
    }
}, { ...opened, javaScriptEnabled: false });

scenario("without WebAssembly the page says so, and shows what it was written with", async () => report("repair", ...asked), async (page) => {
    await region(page, "Not evaluated").waitFor();
    assert.match(await region(page, "Not evaluated").textContent(), /WebAssembly is switched off/);
    assert.equal(await region(page, "Formulas").locator("math").count(), 4);
}, { ...opened, before: () => delete window.WebAssembly });

for (const colorScheme of ["light", "dark"]) {
    for (const width of [700, 1024, 1440]) {
        scenario(`${colorScheme}, ${width} pixels: nothing of a model is wider than the page`, async () => report("repair", ...asked), async (page) => {
            await page.getByRole("group", { name: /^Time over \d+ values of P/ }).waitFor();
            const { wide, scheme } = await page.evaluate(() => ({
                wide: [...document.querySelectorAll(".model .card")].filter((each) => each.getBoundingClientRect().right > innerWidth + 1).map((each) => each.getAttribute("aria-label")),
                scheme: document.documentElement.dataset.scheme,
            }));
            assert.deepEqual({ wide, scheme }, { wide: [], scheme: colorScheme });
        }, { ...opened, colorScheme, viewport: { width, height: 900 } });
    }
}
