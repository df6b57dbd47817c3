// Is a task graph shown as a recording is: with its schedules for schedulers, tasks for threads, and the numbers of `parcast predict`?

import assert from "node:assert/strict";
import { chooseCount, fact, saysPrediction, scenario, settled, untilAddress } from "./page.mjs";
import { predicted, report, view, ways } from "./program.mjs";

const name = "polyroots";
const schedules = ["--cpus", "2,9,24", "--schedule", "fifo,lpt,critical-path,batch:4,ps"];

function row(schedule, cpus) {
    return predicted(name, "--cpus", String(cpus), "--schedule", schedule).schedules[0].runs[0];
}

async function chooseSchedule(page, schedule) {
    await page.getByLabel("Schedule", { exact: true }).selectOption(schedule);
    await page.locator(".details .facts", { hasText: `Schedule${schedule}` }).waitFor();
    await settled(page);
}

async function select(page, task) {
    await page.keyboard.press("/");
    await page.keyboard.type(task);
    await page.keyboard.press("Enter");
    await page.locator(".details h2", { hasText: "Task" }).waitFor();
}

for (const [way, open] of Object.entries(ways)) {
    scenario(`${way}: each schedule of a task graph has the numbers of predict`, () => open(name, ...schedules), async (page) => {
        for (const [schedule, cpus] of [["lpt", 24], ["batch:4", 9], ["fifo", 2]]) {
            await chooseSchedule(page, schedule);
            await chooseCount(page, cpus);
            await saysPrediction(page, row(schedule, cpus));
        }
        assert.equal(await untilAddress(page, "cpus", /^2$/), "2");
    });

    scenario(`${way}: a task graph begins with its processors, and speaks of tasks`, () => open(name, ...schedules), async (page) => {
        await page.locator(".lanes-bar button[aria-pressed=true]", { hasText: "By CPU" }).waitFor();
        await page.locator(".lanes-bar button", { hasText: "By task" }).waitFor();
        assert.match(await page.locator(".sentences").textContent(), /finds no task to run/);
        await page.getByRole("tab", { name: "Groups" }).click();
        await page.getByRole("tab", { name: /Tasks/ }).click();
        assert.doesNotMatch(await page.evaluate(() => document.body.innerText), /thread/i);
    });

    scenario(`${way}: a task says for which it waits, and leads there`, () => open(name, ...schedules), async (page) => {
        await select(page, "roots 5");
        assert.match(await fact(page, "Group"), /^roots, 30 tasks$/);
        assert.equal(await fact(page, "Waits for"), "barrier");
        await page.locator(".details .link", { hasText: "barrier" }).click();
        assert.match(await fact(page, "Before"), /^roots \d+ and 29 more of roots$/);
    });
}

scenario("under processor sharing tasks have no processor of their own: they have lanes all the same", () => report(name, ...schedules), async (page) => {
    await chooseSchedule(page, "ps");
    await page.locator(".lanes-bar button[disabled]", { hasText: "By CPU" }).waitFor();
    await page.locator(".lanes-bar button[aria-pressed=true]", { hasText: "By task" }).waitFor();
});

scenario("a report of a task graph has what it was written for, and says so", () => report(name, ...schedules), async (page) => {
    const only = page.locator(".offered");
    assert.equal(await only.textContent(), "computed counts only");
    assert.match(await only.getAttribute("title"), /the schedules and numbers of CPUs that it was written for/);
    assert.deepEqual(await page.getByLabel("Schedule", { exact: true }).locator("option").allTextContents(), ["fifo", "lpt", "critical-path", "batch:4", "ps"]);
});

scenario("a view offers every schedule that the graph allows, and executes what was not predicted", () => view(name, "--cpus", "2,9"), async (page) => {
    await chooseSchedule(page, "cyclic");
    await chooseCount(page, 7);
    await page.locator(".figures", { hasText: "efficiency" }).waitFor(); // on one CPU it is executed when there is time
    await saysPrediction(page, row("cyclic", 7));
});

scenario("a better schedule is named where one was predicted", () => report(name, ...schedules), async (page) => {
    await chooseCount(page, 24);
    const best = predicted(name, "--cpus", "24", ...schedules.slice(2)).schedules.map(({ schedule, runs }) => [runs[0].time_ns, schedule]).sort((a, b) => a[0] - b[0])[0][1];
    assert.match(await page.locator(".sentences").textContent(), new RegExp(`The schedule ${best} takes .* here, .* % less`));
});
