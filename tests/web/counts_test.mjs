// Is another count, or another scheduler, simulated as `parcast predict` does it?

import assert from "node:assert/strict";
import { chooseCount, chooseScheduler, saysPrediction, scenario } from "./page.mjs";
import { hasPigz, predicted, report, under, ways } from "./program.mjs";

const counts = [1, 3, 6, 12, 23, 64];

for (const [way, address] of Object.entries(ways)) {
    scenario(`${way}: numbers of counts that are not in it are those of predict`, () => address("gateway"), async (page) => {
        for (const scheduler of ["linux", "ideal", "linux"]) {
            await chooseScheduler(page, scheduler);
            const { predictions } = predicted("gateway", ...under(scheduler), "--cpus", counts.join());
            for (const row of predictions) {
                await chooseCount(page, row.cpus);
                await saysPrediction(page, row);
            }
        }
    });

    scenario(`${way}: an answer that arrives leaves alone what is being typed`, () => address("gateway"), async (page) => {
        const field = page.getByLabel("CPUs, number", { exact: true });
        await field.fill("7");
        await page.keyboard.press("Tab"); // to the slider, which chooses at once
        await page.locator(".figures", { hasText: "on 7 CPUs" }).waitFor();
        await field.fill("9");
        await page.evaluate(() => (location.hash = "cpus=3"));
        await page.locator(".overview:not(.stale) .figures", { hasText: "on 3 CPUs" }).waitFor();
        assert.equal(await field.inputValue(), "9");
    });

    scenario(`${way}: more CPUs than the slider has can be typed, and it is said where there are no more`, () => address("gateway"), async (page) => {
        const field = page.getByLabel("CPUs, number", { exact: true });
        await field.fill("300");
        await field.press("Enter");
        await page.locator(".overview:not(.stale) .figures", { hasText: "on 300 CPUs" }).waitFor();
        await saysPrediction(page, predicted("gateway", "--cpus", "1,300").predictions.at(-1));
        await field.fill("0");
        await field.press("Enter");
        await page.locator(".count-note", { hasText: "A whole number from 1 to 65,534" }).waitFor();
        assert.equal(await field.inputValue(), "300");
    });

    scenario(`${way}: a count that was simulated joins the chart`, () => address("gateway"), async (page) => {
        await chooseCount(page, 5);
        const dot = page.getByRole("button", { name: /^5 CPUs: / });
        assert.equal(await dot.getAttribute("aria-pressed"), "true");
    });

    scenario(`${way}: what it scales to does not depend on the counts that were looked at`, () => address("gateway"), async (page) => {
        // What changes would bring is tried meanwhile.
        const said = () => page.locator(".overview:not(.stale) .verdict").locator("> :not(.sentences), .sentences > dd:not(.advice, .would-bring)").allInnerTexts();
        await chooseCount(page, 64);
        const before = await said();
        for (const cpus of [3, 5, 6, 7]) {
            await chooseCount(page, cpus);
        }
        await chooseCount(page, 64);
        assert.deepEqual(await said(), before);
    });

    scenario(`${way}: under a scheduler that was not predicted it was not said how far the program scales`, () => address("gateway"), async (page) => {
        for (const scheduler of ["ideal", "linux"]) {
            await chooseScheduler(page, scheduler);
            const [said] = predicted("gateway", ...under(scheduler)).scaling.verdict;
            await page.locator(".extent", { hasText: said }).waitFor(); // after the points of all counts
        }
    });

    scenario(`${way}: the slider is dragged to its end and shows that count`, () => address("gateway"), async (page) => {
        const track = await page.locator(".slider-track").boundingBox();
        await page.mouse.move(track.x + 2, track.y + track.height / 2);
        await page.mouse.down();
        await page.mouse.move(track.x + track.width, track.y + track.height / 2, { steps: 12 });
        await page.mouse.up();
        await page.locator(".figures", { hasText: "on 64 CPUs" }).waitFor();
        await saysPrediction(page, predicted("gateway").predictions.at(-1));
    });
}

// The counts of the report decide how conditions pair in its replays; a count between them may deadlock all the same.
function replayedAsOnThePage(name) {
    const ofReport = predicted(name);
    const { model, paired_conditions: paired } = ofReport.method;
    const all = model === "direct" && paired.length === 0
        ? predicted(name, "--cpus", "1-64", "--model", "direct")
        : predicted(name, "--cpus", "1-64");
    const isSame = JSON.stringify([model, paired]) === JSON.stringify([all.method.model, all.method.paired_conditions]);
    return new Map((isSame ? all : ofReport).predictions.map((row) => [row.cpus, row]));
}

if (hasPigz) {
    scenario("report of pigz: the slider goes from 1 to 64 live, and each number is that of predict", () => report("pigz"), async (page) => {
        const rows = replayedAsOnThePage("pigz");
        const slider = page.getByRole("slider", { name: "CPUs" });
        await slider.focus();
        await page.keyboard.press("Home");
        for (let cpus = 1; cpus <= 64; cpus += 1) {
            const row = rows.get(cpus);
            const figures = page.locator(".overview:not(.stale) .figures", { hasText: new RegExp(`on ${cpus} CPUs?`) });
            const deadlock = page.locator(".overview:not(.stale) .verdict [role=alert]", { hasText: new RegExp(`^On ${cpus} CPUs? `) });
            await figures.or(deadlock).filter({ visible: true }).waitFor();
            if (row) assert.equal(await deadlock.count() > 0, row.time_ns === null, `on ${cpus} CPUs`);
            if (row && row.time_ns !== null) await saysPrediction(page, row);
            assert.equal(await slider.getAttribute("aria-valuenow"), String(cpus));
            await page.keyboard.press("ArrowRight");
        }
    });
}

// Browsers that start no simulator.
const withoutSimulator = {
    "without workers": { before: () => delete window.Worker },
    "without WebAssembly": { before: withoutWebAssembly },
};

// In the page and in every worker that it makes, as where an administrator turned it off.
function withoutWebAssembly() {
    delete window.WebAssembly;
    const Whole = window.Blob;
    window.Blob = class extends Whole {
        constructor(parts, options) {
            super(options?.type === "text/javascript" ? ["delete self.WebAssembly;", ...parts] : parts, options);
        }
    };
}

for (const [how, options] of Object.entries(withoutSimulator)) scenario(`report ${how}: offers the counts that lie in it, and says so`, () => report("gateway"), async (page) => {
    await page.getByText("computed counts only").waitFor();
    const slider = page.getByRole("slider", { name: "CPUs" });
    await slider.press("Home");
    for (const row of predicted("gateway").predictions) {
        await page.locator(".overview:not(.stale) .figures", { hasText: new RegExp(`on ${row.cpus} CPU`) }).waitFor();
        await saysPrediction(page, row);
        await slider.press("ArrowRight");
    }
    assert.equal(await page.getByText("ideal", { exact: true }).count(), 0, "no other scheduler to choose");
}, options);
