// Does the page show which functions did the work, and change one as `predict --what-if` does?

import assert from "node:assert/strict";
import { chooseCount, inAddress, says, scenario, timeWith, untilAddress } from "./page.mjs";
import { informed, predicted, ways } from "./program.mjs";

const name = "functions";
const tree = (page) => page.getByRole("tree", { name: "Functions by caller" });
const frame = (page, called) => tree(page).getByRole("treeitem", { name: new RegExp(`^${called}:`) });
const tab = (page) => page.getByRole("region", { name: "Flame graph" });

const counted = (cpus) => `${cpus} CPU${cpus === 1 ? "" : "s"}`;

async function openTab(page) {
    await page.getByRole("tab", { name: "Flame graph" }).click();
    await tree(page).waitFor();
}

// "sum: 12.3 ms, 41 %; itself 12.3 ms"
async function lengths(item) {
    const [, time, share, own] = /: (.*), ([\d.]+) %; itself (.*)$/.exec(await item.getAttribute("aria-label"));
    return { time, share: Number(share) / 100, own };
}

for (const [way, address] of Object.entries(ways)) {
    scenario(`${way}: functions below their callers, as long as info says`, () => address(name), async (page) => {
        await chooseCount(page, 2);
        await openTab(page);
        const { cpu_time_ns } = predicted(name).recorded;
        for (const { name: called, self_ns, total_ns } of informed(name).functions.filter(({ self_ns }) => self_ns > 0.02 * cpu_time_ns && self_ns < cpu_time_ns)) {
            // A function that two call has a frame below each.
            const frames = await Promise.all((await frame(page, called).all()).map(lengths));
            const share = frames.reduce((all, each) => all + each.share, 0);
            assert.ok(Math.abs(share - total_ns / cpu_time_ns) < 0.03, `${called}: ${share} is not ${total_ns / cpu_time_ns}`);
        }
        assert.equal(await frame(page, "work").count(), 1, "both threads");
        assert.equal(await frame(page, "parse").count(), 2, "of count_part, and under the lock");
    });

    for (const change of ["function:sum*0.5", "function:count_part+*0.25"]) {
        scenario(`${way}: ${change} has the times of predict --what-if on each count`, async () => `${await address(name)}#what-if=${encodeURIComponent(change)}&answers=all&charts=tables`, async (page) => {
            for (const { cpus, time_ns, what_if } of predicted(name, "--what-if", change, "--cpus", "1,2,3").predictions) {
                await chooseCount(page, cpus);
                await page.locator(".strip", { hasText: `${counted(cpus)}, linux, with ${change}` }).waitFor();
                says(await timeWith(page, cpus).textContent(), what_if[0].time_ns, `${change} on ${cpus}`);
                assert.ok(what_if[0].time_ns < 0.9 * time_ns, "it brings something");
            }
        });
    }
}

scenario("the marked interval chooses which work counts", () => ways.report(name), async (page) => {
    await chooseCount(page, 2);
    await openTab(page);
    const before = await tab(page).locator(".panel-note").textContent();
    assert.match(before, /CPU time in the visible range, .*, on 2 CPUs/);
    const [{ time_ns }] = predicted(name, "--cpus", "2").predictions;
    await untilAddress(page, "table", /flame/); // what the page notes later would replace what comes next
    const half = Math.round(time_ns / 2);
    await page.evaluate((end) => (location.hash += `&mark=0-${end}`), half);
    await tab(page).locator(".panel-note", { hasText: "the marked interval" }).waitFor();
    const [, work] = /^([\d.]+) ms/.exec(await tab(page).locator(".panel-note").textContent());
    assert.ok(Math.abs(Number(work) * 1e6 - time_ns) < 0.1 * time_ns, `both threads work all the time: ${work} ms in ${half} ns`);
});

scenario("weighted by what decides the time, the address keeps it, and the arrow keys walk to a function whose place a key shows", () => ways.view(name), async (page) => {
    await chooseCount(page, 2);
    await openTab(page);
    await tab(page).getByText("time it decides", { exact: true }).click();
    assert.equal(await untilAddress(page, "flame", /./), "decides");
    assert.equal(await inAddress(page, "table"), "flame");
    await tab(page).locator(".panel-note", { hasText: "that work decides" }).waitFor();
    const [{ time_ns }] = predicted(name, "--cpus", "2").predictions;
    const [, decided] = /^([\d.]+) ms/.exec(await tab(page).locator(".panel-note").textContent());
    assert.ok(Math.abs(Number(decided) * 1e6 - time_ns) < 0.03 * time_ns, `${decided} ms of ${time_ns} ns`);
    await tree(page).getByRole("treeitem").first().focus();
    for (const key of ["ArrowDown", "ArrowDown", "Enter"]) {
        await page.keyboard.press(key);
    }
    assert.match(await untilAddress(page, "select", /^site/), /^site\.\d+$/);
    assert.match(await page.locator(".details .name").textContent(), /^(count_part|parse|sum)/);
    assert.equal(await tree(page).getByRole("treeitem", { selected: true }).count() > 0, true);
});

scenario("a recording without functions says how to get them", () => ways.view("histogram"), async (page) => {
    await page.getByRole("tab", { name: "Flame graph" }).click();
    await tab(page).getByText(/^Functions were not recorded: record with parcast record --sample 1ms/).waitFor();
});
