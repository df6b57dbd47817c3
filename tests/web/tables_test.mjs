// Do the tables of events and CPUs say what the lanes show, and lead there?

import assert from "node:assert/strict";
import { fact, focusTimeline, scenario, untilAddress } from "./page.mjs";
import { report, shownFirst, view } from "./program.mjs";

const columnOf = (grid, column) => grid.getByRole("row").evaluateAll((rows, at) => rows.slice(1).map((row) => row.children[at].textContent.trim()), column);
const note = (page) => page.locator(".panel-note").textContent();
const counted = async (page) => Number(/([\d,]+) events?/.exec(await note(page))[1].replaceAll(",", ""));

for (const [way, address] of Object.entries({ report, view })) {
    scenario(`${way}: events are listed in the order of time, and chosen with keys`, async () => `${await address("gateway")}#table=events`, async (page) => {
        const events = page.getByRole("grid", { name: "Events" });
        const times = (await columnOf(events, 0)).map(parseFloat);
        assert.deepEqual(times, [...times].sort((a, b) => a - b));
        assert.match(await note(page), /^all threads, the visible range: \d+ events$/);
        await events.focus();
        await page.keyboard.press("ArrowDown");
        await page.keyboard.press("ArrowDown");
        await page.keyboard.press("Enter");
        await untilAddress(page, "select", /^event/);
        await page.locator(".details h2", { hasText: "Event" }).waitFor();
        const row = events.locator('[aria-selected="true"]');
        assert.equal(await page.locator(".details .name").textContent(), await row.locator("span").nth(2).textContent());
        assert.equal(await fact(page, "Thread"), await row.locator("span").nth(1).textContent());
        assert.match(await note(page), /^all threads/); // stepping through them narrows nothing
    });
}

scenario("a thread that joins another one was said to wait for it to end, or to answer", async () => `${await report("gateway")}#table=intervals&select=thread.0`, async (page) => {
    const grid = page.getByRole("grid", { name: "Intervals" });
    const row = grid.getByRole("row", { name: /waiting.*thread 1 / }).first();
    await grid.hover();
    for (let turns = 0; turns < 20 && (await row.count()) === 0; ++turns) {
        await page.mouse.wheel(0, 100); // creating threads on other CPUs takes rows before it
        await page.waitForTimeout(100);
    }
    await row.click();
    await page.locator(".details .reason", { hasText: /^It waits for thread 1 \(.*\) to end\.$/ }).waitFor();
});

scenario("events follow the thread or object that is selected, and what is marked", async () => `${await report("gateway")}#table=events`, async (page) => {
    const all = await counted(page);
    await focusTimeline(page);
    await page.keyboard.press("ArrowDown");
    await untilAddress(page, "select", /^thread\.0/);
    await page.waitForFunction(() => document.querySelector(".panel-note").textContent.startsWith("thread 0"));
    const ofThread = await counted(page);
    assert.ok(ofThread > 0 && ofThread < all, `${ofThread} of ${all}`);
    assert.deepEqual([...new Set(await columnOf(page.getByRole("grid", { name: "Events" }), 1))].length, 1);
    await page.locator(".panel-note").getByRole("button", { name: "all threads" }).click();
    assert.equal(await counted(page), all);
    const { time_ns: time } = shownFirst("gateway");
    await page.evaluate((end) => (location.hash += `&mark=0-${end}`), Math.round(time / 2));
    await page.waitForFunction(() => document.querySelector(".panel-note").textContent.includes("the marked interval"));
    assert.ok((await counted(page)) < all);
});

scenario("CPUs are as busy as the bar of the run says, and a row shows its lane", async () => `${await report("gateway")}#table=cpus`, async (page) => {
    const cpus = page.getByRole("grid", { name: "CPUs" });
    const shares = (await columnOf(cpus, 2)).map(parseFloat);
    const { cpus: count } = shownFirst("gateway");
    assert.equal(shares.length, count);
    const busy = parseFloat(await page.locator(".overview .legend b").first().textContent().catch(() => "0"));
    const mean = shares.reduce((sum, share) => sum + share, 0) / count;
    assert.ok(Math.abs(mean - busy) <= 1, `mean of ${shares} is not ${busy}`);
    await cpus.focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await untilAddress(page, "by", /^cpu$/);
    await untilAddress(page, "select", /^interval/);
    assert.equal(await fact(page, "CPU"), "1");
    await page.getByRole("tab", { name: "Intervals" }).click();
    await page.waitForFunction(() => document.querySelector(".panel-note").textContent.startsWith("CPU 1"));
    const thread = await fact(page, "Thread");
    assert.ok((await columnOf(page.getByRole("grid", { name: "Intervals" }), 3)).includes(thread), thread);
}, { viewport: { width: 1440, height: 1000 } });

scenario("where threads share CPUs, the table of CPUs says why it is empty", async () => `${await report("gateway")}#table=cpus&scheduler=ideal`, async (page) => {
    await page.getByText("there are no lanes by CPU", { exact: false }).first().waitFor();
});

scenario("the table of CPUs of a task graph speaks of tasks", async () => `${await report("polyroots", "--cpus", "8", "--schedule", "lpt")}#table=cpus`, async (page) => {
    const cpus = page.getByRole("grid", { name: "CPUs" });
    const headings = await cpus.getByRole("columnheader").allTextContents();
    assert.ok(headings.includes("Tasks") && !headings.includes("Spinning"), headings.join());
    assert.equal((await columnOf(cpus, 0)).length, 8);
});
