// Is a task graph shown as a recording is: with its schedules for schedulers, tasks for threads, and the numbers of `parcast predict`?

import assert from "node:assert/strict";
import { chooseCount, fact, saysPrediction, scenario, settled, untilAddress } from "./page.mjs";
import { predicted, report, view, ways } from "./program.mjs";

const name = "polyroots";
const schedules = ["--cpus", "2,9,24", "--schedule", "fifo,lpt,critical-path,batch:4,ps"];

function row(schedule, cpus) {
    return predicted(name, "--cpus", String(cpus), "--schedule", schedule).predictions[0];
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
    assert.match(await only.getAttribute("title"), /holds only the schedules and CPU counts that were predicted/);
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
    const best = predicted(name, "--cpus", "24", ...schedules.slice(2)).predictions.map(({ schedule, time_ns }) => [time_ns, schedule]).sort((a, b) => a[0] - b[0])[0][1];
    assert.match(await page.locator(".sentences").textContent(), new RegExp(`The schedule ${best} takes .* here, .* % less`));
});

// For each lane by CPU, its ribbon of the path, and the colours in its middle, from left to right; neighbours of one colour once.
function lanesByCpu(page) {
    return page.evaluate(() => {
        const stage = document.querySelector(".lanes-stage");
        const canvas = document.querySelector(".lanes-canvas");
        const density = canvas.width / stage.clientWidth;
        const left = Math.ceil(Number(stage.getAttribute("data-gutter")) * density) + 1;
        const { width, height } = canvas;
        const { data } = canvas.getContext("2d").getImageData(0, 0, width, height);
        const at = (x, y) => [0, 1, 2].map((i) => data[4 * (y * width + x) + i]);
        const variable = (name) => {
            const hex = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
            return [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));
        };
        const isNear = (colour, other) => colour.every((value, i) => Math.abs(value - other[i]) < 8);
        const [accent, surface] = [variable("--accent"), variable("--surface")];
        const isAccent = (colour) => isNear(colour, accent);
        const rows = Array.from({ length: height }, (_, y) => y).filter((y) => Array.from({ length: width - left }, (_, i) => at(left + i, y)).some(isAccent));
        const tops = rows.filter((y) => !rows.includes(y - 1));
        return tops.map((top) => {
            const columns = Array.from({ length: width - left }, (_, i) => left + i);
            const drawn = columns.map((x) => at(x, top + Math.round(10 * density)));
            const colours = drawn.filter((colour) => !isNear(colour, surface)).map(String); // without the lines between tasks
            return {
                path: columns.map((x) => isAccent(at(x, top + 1))),
                colours: colours.filter((colour, i) => i === 0 || colour !== colours[i - 1]),
            };
        });
    });
}

scenario("loops that could not be told from each other by CPU: the tasks of a group have one colour, and the legend names it", () => report("psim", "--cpus", "4", "--schedule", "fifo"), async (page) => {
    const [{ colours }] = await lanesByCpu(page);
    const tasks = 643 / 4;
    assert.ok(new Set(colours).size > 4, "a lane has several loops");
    assert.ok(colours.length < tasks / 4, `${colours.length} changes of colour for ${tasks} tasks of 15 groups`);
    await page.locator(".lanes-legend", { hasText: "a group each" }).waitFor();
    await page.getByRole("button", { name: "Legend" }).click();
    const legend = page.getByRole("region", { name: "Legend" });
    for (const name of ["first.1", "and second.2", "overhead", "a colour for each group of tasks"]) {
        assert.ok((await legend.textContent()).includes(name), name);
    }
});

scenario("a path that was not drawn over tasks narrower than a pixel: it can be followed over the lanes at every zoom", () => report("narrow", "--cpus", "4", "--schedule", "fifo"), async (page) => {
    const lanes = await lanesByCpu(page);
    const columns = lanes[0].path.length;
    const covered = Array.from({ length: columns }, (_, x) => lanes.some(({ path }) => path[x])).filter(Boolean).length;
    assert.ok(covered > 0.9 * columns, `${covered} of ${columns} columns`);
});

scenario("a fetch that looked like an idle processor is an interval of overhead", () => report("psim", "--cpus", "4", "--schedule", "fifo", "--overhead", "50us"), async (page) => {
    await page.locator(".lanes-legend", { hasText: "overhead" }).waitFor();
    await select(page, "first.2 5");
    assert.match(await fact(page, "Overhead"), /^50\.0 µs, to take it from the queue$/);
});
