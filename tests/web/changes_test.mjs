// Does the page say what to change first as `parcast advise` does, and replay a change as `predict --what-if` does?

import assert from "node:assert/strict";
import { cells, chooseCount, chooseScheduler, inAddress, says, scenario, timeWith, untilAddress } from "./page.mjs";
import { advised, bound, predicted, ways } from "./program.mjs";

const name = "histogram";
const halfLock = "lock:shared_mutex*0.5";

const percent = (text) => Number(/^([-−+]?)(<?[\d.]+) ?%/.exec(text)[2].replace("<", "")) / 100;

async function openTab(page) {
    await page.getByRole("tab", { name: "What to change" }).click();
    return page.getByRole("region", { name: "What to change" });
}

for (const [way, address] of Object.entries(ways)) {
    scenario(`${way}: the sentences and shares are those of advise`, () => address(name), async (page) => {
        const advice = advised(name);
        const tab = await openTab(page);
        // What is tried comes later.
        await page.waitForFunction((sentences) => [...document.querySelectorAll(".change-tab .advice")].map((each) => each.textContent).join() === sentences.join(), advice.sentences).catch(() => undefined);
        assert.deepEqual(await tab.locator(".advice").allTextContents(), advice.sentences);
        const table = tab.locator(".change-over table");
        assert.deepEqual(await table.locator("thead button").allTextContents(), advice.counts.map(({ cpus }) => String(cpus)));
        const rows = await cells(table);
        for (const kind of ["function", "lock"]) {
            const [row] = rows.filter(([text]) => text.startsWith("under") === (kind === "lock"));
            advice.counts.forEach(({ cpus, rows: all }, count) => {
                const { share } = all.find((each) => each.kind === kind && (kind === "lock" || row[0] === each.name));
                assert.ok(Math.abs(percent(row[count + 2]) - share) < 0.006, `${row[0]} on ${cpus}: ${row[count + 2]} is not ${share}`);
            });
        }
        await tab.getByRole("table", { name: "Critical path by function and cause" }).getByText("holding mutex shared_mutex").waitFor();
    });

    scenario(`${way}: a changed program has the times of predict --what-if on each count`, async () => `${await address(name)}#what-if=${encodeURIComponent(halfLock)}&answers=all`, async (page) => {
        await page.getByRole("button", { name: "As tables" }).click();
        for (const { cpus, time_ns, what_if } of predicted(name, "--what-if", halfLock, "--cpus", "2,3,8").predictions) {
            await chooseCount(page, cpus);
            await timeWith(page, cpus).waitFor();
            says(await timeWith(page, cpus).textContent(), what_if[0].time_ns, `with the change on ${cpus}`);
            await page.locator(".strip", { hasText: `${cpus} CPUs, linux, with ${halfLock}` }).waitFor();
            says(await page.locator(".figures b").first().textContent(), time_ns, `as it is on ${cpus}`);
        }
        assert.equal(await page.getByLabel("Change of the program").inputValue(), halfLock);
    });

    scenario(`${way}: a change that the program cannot have is said plainly, and is none`, async () => `${await address(name)}#what-if=lock:shared_mutes*0.5`, async (page) => {
        const alert = page.locator(".failure");
        await alert.waitFor();
        assert.match(await alert.textContent(), /^The change lock:shared_mutes\*0\.5 is ignored: .*no lock "shared_mutes".*shared_mutex/);
        assert.equal(await page.getByRole("region", { name: "Timeline below" }).count(), 0);
        await page.waitForFunction(() => !location.hash.includes("what-if"));
        await alert.getByRole("button", { name: "Close" }).click();
        await alert.waitFor({ state: "detached" });
    });
}

scenario("what it would bring is tried while the page is idle, and shown below with a click; the address keeps it", () => ways.report(name), async (page) => {
    await chooseCount(page, 8);
    const brings = page.locator(".brings", { hasText: "shared_mutex" });
    await brings.waitFor();
    const [{ time_ns, what_if }] = predicted(name, "--what-if", halfLock, "--cpus", "8").predictions;
    const [, before, after] = /held half as long: (.*) → (.*) \(/.exec(await brings.textContent());
    says(before, time_ns, "as it is");
    says(after, what_if[0].time_ns, "with the change");
    await brings.getByRole("button", { name: /^Try/ }).click();
    await page.getByRole("region", { name: "Timeline below" }).waitFor();
    assert.equal(await untilAddress(page, "what-if", /./), halfLock);
    await page.reload();
    await page.getByRole("region", { name: "Timeline below" }).waitFor();
    const chip = page.getByLabel("Change of the program");
    assert.equal(await chip.inputValue(), halfLock);
    await chip.fill("lock:shared_mutex/8");
    await chip.press("Enter");
    await page.locator(".strip", { hasText: "with lock:shared_mutex/8" }).waitFor();
    await page.getByRole("button", { name: "Without this change" }).click();
    await page.getByRole("region", { name: "Timeline below" }).waitFor({ state: "detached" });
    await page.waitForFunction(() => !location.hash.includes("what-if"));
    assert.equal(await inAddress(page, "compare"), null);
});

for (const [way, address] of Object.entries(ways)) {
    scenario(`${way}: free wake-ups are tried where a machine charges for them`, () => address("two_producers"), async (page) => {
        await chooseCount(page, 3);
        const brings = page.locator(".brings", { hasText: "waking up costs nothing" });
        await brings.waitFor();
        const [{ time_ns, what_if }] = predicted("two_producers", "--what-if", "wake-ups=free", "--cpus", "3").predictions;
        const [, before, after] = /nothing: (.*) → (.*) \(/.exec(await brings.textContent());
        says(before, time_ns, "as it is");
        says(after, what_if[0].time_ns, "with free wake-ups");
        const tab = await openTab(page);
        await tab.getByRole("table", { name: "Levers" }).getByText("waking up costs nothing").waitFor();
        await brings.getByRole("button", { name: /^Try/ }).click();
        await page.locator(".strip", { hasText: "with wake-ups=free" }).waitFor();
        await page.getByRole("button", { name: "Without this change" }).click();
        await chooseScheduler(page, "ideal");
        await page.locator(".would-bring[aria-busy=false]").waitFor();
        assert.equal(await brings.count(), 0);
        assert.equal(await tab.getByText("waking up costs nothing").count(), 0);
    });
}

scenario("levers are ranked by what they bring, and what is hardly worth it is grey", () => ways.view(name), async (page) => {
    await chooseCount(page, 2);
    const tab = await openTab(page);
    const levers = tab.getByRole("table", { name: "Levers" });
    await page.waitForFunction(() => document.querySelectorAll(".levers tbody tr").length > 0 && !document.querySelector(".levers").textContent.includes("…"));
    const rows = await cells(levers);
    assert.ok(rows.some(([text]) => text === "count_in_shared twice as fast"), JSON.stringify(rows));
    assert.ok(rows.some(([text]) => /^mutex shared_mutex .* held for no time$/.test(text)), JSON.stringify(rows));
    const gains = rows.map(([, , change]) => (change.startsWith("−") ? -1 : 1) * percent(change));
    assert.deepEqual(gains, [...gains].sort((a, b) => a - b));
    const grey = await levers.locator("tbody tr").evaluateAll((all) => all.map((row) => row.classList.contains("not-worth-it")));
    assert.deepEqual(grey, gains.map((gain) => gain > -0.02));
});

scenario("a change is saved as a file that predict reads", async () => `${await ways.report(name)}#what-if=${encodeURIComponent(`${halfLock},wake-ups=free,thread:1*2`)}`, async (page) => {
    await page.getByRole("region", { name: "Timeline below" }).waitFor();
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save change" }).click();
    const file = `${await (await download).path()}.txt`;
    await (await download).saveAs(file);
    const [{ what_if }] = predicted(name, "--what-if", `@${file}`, "--cpus", "4").predictions;
    assert.equal(what_if[0].change, `${halfLock},wake-ups=free,thread:1*2`);
});

for (const [way, address] of Object.entries(ways)) {
    scenario(`${way}: threads are bound to CPUs in their details, and a plan of them is what predict --plan reads`, () => address(name), async (page) => {
        await chooseCount(page, 2);
        await page.evaluate(() => (location.hash = "cpus=2&select=thread.1"));
        const control = page.getByRole("group", { name: "Bind this thread to a CPU" });
        await control.getByRole("button", { name: "1", exact: true }).click();
        await page.locator(".strip", { hasText: "with thread:1@1" }).waitFor();
        await untilAddress(page, "what-if", /1@1/);
        await page.evaluate(() => (location.hash = `${location.hash.slice(1).replace("thread.1", "thread.2")}`));
        await control.getByRole("button", { name: "1", exact: true }).click();
        await page.locator(".strip", { hasText: "with thread:1@1,thread:2@1" }).waitFor();
        const download = page.waitForEvent("download");
        await page.getByRole("button", { name: "Save plan" }).click();
        const file = `${await (await download).path()}.toml`;
        await (await download).saveAs(file);
        const [{ time_ns }] = predicted(name, "--plan", file, "--cpus", "2").predictions;
        await page.getByRole("button", { name: "More", exact: true }).click();
        await page.getByRole("button", { name: "As tables" }).click();
        says(await timeWith(page, 2).textContent(), time_ns, "as planned");
        await control.getByRole("button", { name: "any" }).click();
        await page.locator(".strip", { hasText: /with thread:1@1$/ }).waitFor();
    });
}

scenario("under a scheduler with LWPs another number of them is shown below, as predict --lwps has it", () => ways.report(name), async (page) => {
    await chooseCount(page, 4);
    await chooseScheduler(page, "two-level");
    await page.getByLabel("LWPs").fill("4");
    await page.getByLabel("LWPs").press("Enter");
    await page.locator(".strip", { hasText: "4 CPUs, two-level, with lwps=4" }).waitFor();
    const [one] = predicted(name, "--scheduler", "two-level", "--cpus", "4").predictions;
    const [four] = predicted(name, "--scheduler", "two-level", "--cpus", "4", "--lwps", "4").predictions;
    assert.ok(four.time_ns < one.time_ns, "it matters");
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("button", { name: "As tables" }).click();
    says(await timeWith(page, 4).textContent(), four.time_ns, "on four LWPs");
});

scenario("the chart marks what no binding of threads exceeds, as bind certifies it", () => ways.report(name), async (page) => {
    await page.getByRole("button", { name: "As tables" }).click();
    const { counts } = bound(name);
    const { time_on_one_cpu_ns } = predicted(name);
    const rows = await cells(page.locator(".chart table"));
    const column = (await page.locator(".chart thead th").allTextContents()).indexOf("Best binding at most");
    for (const { cpus, lower_bound_ns } of counts) {
        const row = rows.find(([count]) => count === String(cpus));
        assert.ok(Math.abs(Number.parseFloat(row[column]) - time_on_one_cpu_ns / lower_bound_ns) < 0.006, `${cpus}: ${row[column]}`);
    }
});

scenario("a lock, a thread and a place have knobs", () => ways.report(name), async (page) => {
    await page.locator(".brings").first().waitFor();
    await page.evaluate(() => (location.hash = "select=object.0"));
    const knob = page.getByRole("group", { name: "What if: the work under it" });
    await knob.getByRole("button", { name: "no lock" }).click();
    await page.locator(".strip", { hasText: "with lock:shared_mutex=free" }).waitFor();
    await untilAddress(page, "what-if", /free/); // what the page notes later would replace what comes next
    await page.evaluate(() => (location.hash = "select=thread.1"));
    await page.getByRole("group", { name: "What if: the work of this thread" }).getByRole("button", { name: "none" }).click();
    await page.locator(".strip", { hasText: "with thread:1*0" }).waitFor();
});
