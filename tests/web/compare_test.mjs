// Are two programs shown one above the other?

import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { figures, inAddress, says, scenario, settled, untilAddress } from "./page.mjs";
import { predicted, recording, report, shownFirst, view } from "./program.mjs";

scenario("view --compare: both programs, on one scale, each with its own numbers", () => view("gateway", "--compare", recording("one_lock")), async (page) => {
    await page.getByRole("region", { name: "Timeline below" }).waitFor();
    const strips = await page.locator(".strip").allTextContents();
    assert.equal(strips.length, 2);
    assert.match(strips[0], /gateway/);
    assert.match(strips[1], /one_lock/);
    const { cpus } = shownFirst("gateway");
    await page.locator(".lanes-stage").nth(1).focus();
    await page.keyboard.press("ArrowRight");
    await page.locator(".details h2", { hasText: "Interval" }).waitFor();
    await page.keyboard.press("Escape");
    const [row] = predicted("one_lock", "--cpus", String(cpus)).predictions;
    await page.getByRole("button", { name: "More" }).click(); // in a window of 900 lines the answers gave way
    await page.getByRole("button", { name: "As tables" }).click();
    const below = page.getByRole("table", { name: "Predicted speed-up" }).locator("tr", { hasText: "below" }).filter({ has: page.getByRole("button", { name: String(cpus), exact: true }) });
    says(await below.locator("td").nth(2).textContent(), row.time_ns, "time below");
});

scenario("a link shows the same of both executions", () => report("gateway"), async (page) => {
    await page.getByRole("button", { name: "Compare" }).click();
    await page.getByRole("region", { name: "Timeline below" }).waitFor();
    const stages = page.locator(".lanes-stage");
    await stages.nth(0).focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("p");
    await untilAddress(page, "pinned", /^\d+$/);
    await stages.nth(1).focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("p");
    await untilAddress(page, "pinned-below", /^\d+$/);
    await page.keyboard.press("Shift+ArrowDown");
    const names = ["compare", "select", "pinned", "select-below", "pinned-below", "about"];
    const shown = async () => Object.fromEntries(await Promise.all(names.map(async (name) => [name, await inAddress(page, name)])));
    await untilAddress(page, "about", /lower/);
    const said = () => page.locator(".details .name, .details .facts").allInnerTexts(); // the source comes later
    const [before, details, link] = [await shown(), await said(), page.url()];
    assert.ok(before["select-below"] && before.select, JSON.stringify(before));
    await page.goto("about:blank");
    await page.goto(link);
    await page.getByRole("region", { name: "Timeline below" }).waitFor();
    await page.locator(".details .facts").waitFor();
    assert.deepEqual(await said(), details);
    await page.locator(".lanes-stage").nth(0).focus();
    await page.keyboard.press("w"); // the address is written anew
    await untilAddress(page, "range", /-/);
    assert.deepEqual(await shown(), before);
});

scenario("two recordings with names of unlike length had time axes that were shifted against each other", () => view("gateway", "--compare", recording("one_lock")), async (page) => {
    await page.getByRole("region", { name: "Timeline below" }).waitFor();
    const stages = page.locator(".lanes-stage");
    const rooms = () => stages.evaluateAll((all) => all.map((stage) => [stage.dataset.gutter, stage.getBoundingClientRect().left, stage.clientWidth]));
    const together = async (isExpected) => {
        await page.waitForFunction(() => new Set([...document.querySelectorAll(".lanes-stage")].map((stage) => stage.dataset.gutter)).size === 1);
        const [upper, lower] = await rooms();
        assert.deepEqual(upper, lower);
        assert.ok(isExpected(Number(upper[0])), `${upper[0]} px for the names`);
        return Number(upper[0]);
    };
    const byThread = await together((gutter) => gutter > 0);
    await page.getByRole("button", { name: "By CPU" }).first().click();
    await untilAddress(page, "by", /^cpu$/);
    await page.waitForFunction((before) => Number(document.querySelector(".lanes-stage").dataset.gutter) < before, byThread);
    await together((gutter) => gutter < byThread);
});

scenario("a link from view could not be saved as a report", () => view("gateway"), async (page) => {
    await page.evaluate(() => (location.hash = "cpus=3&scheduler=ideal&range=1000-2000&select=thread.1"));
    await page.locator(".overview:not(.stale) .figures", { hasText: "on 3 CPUs" }).waitFor();
    await page.locator(".extent").waitFor(); // the speed-ups of a scheduler that was not predicted come later
    const shown = await figures(page);
    await page.locator("summary", { hasText: "Export" }).click();
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "This view as a report" }).click();
    const file = await download;
    assert.match(file.suggestedFilename(), /^gateway-2-3-400000-8-0-0-3-cpus\.html$/);
    const saved = `${await file.path()}.html`;
    await file.saveAs(saved);
    const other = await page.context().newPage();
    await other.goto(pathToFileURL(saved).href);
    await settled(other);
    await other.locator(".figures", { hasText: "on 3 CPUs" }).waitFor();
    await other.locator(".extent").waitFor();
    assert.deepEqual(await figures(other), shown);
    await other.locator(".details h2", { hasText: "Thread" }).waitFor();
    assert.equal(await untilAddress(other, "range", /-/), "1000-2000");
    await other.locator("summary", { hasText: "Export" }).click();
    assert.equal(await other.getByRole("button", { name: "This view as a report" }).count(), 0, "it is one");
});
