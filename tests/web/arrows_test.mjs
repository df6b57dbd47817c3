// Are the arrows of what is selected there, and does the zoom to it show all of it?

import assert from "node:assert/strict";
import { fact, focusTimeline, inAddress, says, scenario, settled, untilAddress } from "./page.mjs";
import { ways } from "./program.mjs";

const isRange = /^[\d.]+-[\d.]+$/;

// Shapes with three corners or more in the picture of what is seen: signs of events, and heads of arrows.
async function shapes(page) {
    await page.locator("summary", { hasText: "Export" }).click();
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "SVG" }).first().click();
    const stream = await (await download).createReadStream();
    let text = "";
    for await (const part of stream) {
        text += part;
    }
    return text.split("<polygon").length - 1;
}

async function select(page, table, row) {
    const grid = page.getByRole("grid", { name: table });
    if (!(await grid.isVisible())) {
        await page.getByRole("tab", { name: new RegExp(`^${table}`) }).click();
    }
    await grid.getByText(row).first().click();
    return untilAddress(page, "select", /./);
}

// Steps along a thread to the first event that waits for another thread.
async function selectWait(page) {
    await select(page, "Threads", "thread 2 ");
    for (let step = 0; step < 50; ++step) {
        const before = await inAddress(page, "select");
        await page.keyboard.press("]");
        await page.waitForFunction((old) => !location.hash.includes(`select=${old}`), before);
        if ((await fact(page, "Released by")) !== null) {
            return;
        }
    }
    assert.fail("thread 2 waits for nobody");
}

const seconds = (text) => parseFloat(text);

for (const [way, address] of Object.entries(ways)) {
    const gateway = () => address("gateway");

    scenario(`${way}: arrows only for an event or an interval: a selected thread and a selected object have theirs too`, gateway, async (page) => {
        await page.getByRole("tab", { name: /^Objects/ }).click(); // room for the lanes does not change after this
        const without = await shapes(page);
        await select(page, "Objects", /^condition #/);
        const ofObject = (await shapes(page)) - without;
        assert.ok(ofObject > 0, "its waits were ended by others");
        await select(page, "Threads", "thread 1 ");
        const ofThread = (await shapes(page)) - without;
        assert.ok(ofThread > 0, "it releases others");
        await page.getByRole("button", { name: "By CPU" }).click();
        await untilAddress(page, "by", /cpu/);
        await settled(page);
        assert.ok((await shapes(page)) > 0);
    });

    scenario(`${way}: an event says where, how long and why it waited, and who released it`, gateway, async (page) => {
        await selectWait(page);
        assert.match(await fact(page, "CPU"), /^\d+$/);
        const [begin, end] = [seconds(await fact(page, "Start")), seconds(await fact(page, "End"))];
        says(await fact(page, "Duration"), (end - begin) * 1e9, "duration", 1000); // both are shown in whole microseconds
        assert.match(await page.locator(".details .reason").textContent(), /^It waits for /);
        const releaser = await fact(page, "Released by");
        assert.ok((await page.locator(".details .reason").textContent()).includes(releaser.slice(0, 8)));
        await page.locator(".details").getByRole("button", { name: releaser }).first().click();
        assert.match(await untilAddress(page, "select", /^thread/), /^thread\.\d+$/);
    });

    scenario(`${way}: F did nothing on an object: it shows all of its uses`, gateway, async (page) => {
        await select(page, "Objects", /^condition #/);
        await page.keyboard.press("}");
        await page.locator(".details h2", { hasText: "Event" }).waitFor();
        const first = parseFloat(await fact(page, "Start")) * 1e9;
        await select(page, "Objects", /^condition #/);
        await focusTimeline(page);
        await page.keyboard.press("w");
        const narrow = await untilAddress(page, "range", isRange);
        assert.ok(Number(narrow.split("-")[0]) > first, "its first use is out of sight, or this tests nothing");
        await page.keyboard.press("f");
        await page.waitForFunction((old) => !location.hash.includes(old), `range=${narrow}`);
        const [begin, end] = ((await inAddress(page, "range")) ?? "0-Infinity").split("-").map(Number);
        assert.ok(begin <= first && first < end, `${begin} ${first} ${end}`);
    });

    scenario(`${way}: a zoom to what fills the view already says so, and is not offered without a selection`, gateway, async (page) => {
        const button = page.getByRole("button", { name: "To selection" });
        assert.equal(await button.isDisabled(), true);
        await select(page, "Threads", "thread 0 ");
        await button.click();
        await page.locator(".lanes-note", { hasText: "already fills the view" }).waitFor();
        assert.equal(await inAddress(page, "range"), null);
        await focusTimeline(page);
        await page.keyboard.press("w");
        await untilAddress(page, "range", isRange);
        await page.keyboard.press("f");
        await page.waitForFunction(() => !location.hash.includes("range"));
    });
}
