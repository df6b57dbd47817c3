// Does the page of a search say what `parcast tune` prints: its sentences, its curves, its points, and what it left out?

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { says, scenario } from "./page.mjs";
import { tuned } from "./program.mjs";

const file = (name) => fileURLToPath(new URL(`../../${name}`, import.meta.url));
const elimination = ["gaussian-elimination", "--size", "240", "--ranks", "4", "--network", "meiko-cs2", "--sweep", "layout=row-cyclic,diagonal"];
const blocks = [...elimination, "--sweep", "block=10,12,16,20,24,30,40,48,60,80"];
const graph = [file("examples/taskgraphs/stencil.json"), "--cpus", "2-6", "--sweep", "rows=8,16,32,64", "--search", "coarse"];
const networks = [file("examples/messages/diagonal-wave.json"), "--sweep", "network=meiko-cs2,ipoib-qdr,infiniband-qdr"];
const model = [file("examples/pamela/mrm.pam"), "--set", "N=1000", "--sweep", "P=1,10,100", "--sweep", "t_l=5,10"];

const opened = { unsettled: true };
const chart = (page, title) => page.getByRole("group", { name: new RegExp(`^${title} over`) });
const grid = (page) => page.getByRole("grid", { name: "Points" });
const rows = (page) => grid(page).locator(".table-body [role=row]").evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent.trim())));
const tooltip = (page) => page.locator(".lanes-tooltip:not([hidden])");
const near = (text, number, what) => says(text, number, what);

scenario("a search: what was found comes first, word for word", async () => tuned(...blocks).address, async (page) => {
    const { answer } = tuned(...blocks);
    const found = page.getByRole("region", { name: "What was found" });
    assert.equal(await found.locator(".tuning-lead").textContent(), answer.sentences[0]);
    assert.deepEqual(await found.locator("li").allTextContents(), answer.sentences.slice(1));
    assert.equal(await found.locator("code").textContent(), answer.next);
    assert.match(await page.title(), /^gaussian-elimination: size 240, ranks 4, network meiko-cs2 – parcast$/);
    assert.equal(await page.getByRole("region", { name: "Not looked at" }).count(), 0);
}, opened);

scenario("a search: a curve for each layout and method, with the best point and those near it", async () => tuned(...blocks).address, async (page) => {
    const { answer } = tuned(...blocks);
    const lines = (title) => chart(page, title).locator("polyline").evaluateAll((all) => all.map((line) => line.getAttribute("points").split(" ").length));
    await chart(page, "Time").waitFor();
    assert.deepEqual(await lines("Time"), Array(6).fill(10));
    assert.deepEqual(await lines("Communication"), Array(4).fill(10));
    assert.deepEqual(await lines("Computation"), Array(2).fill(10));
    assert.equal(await chart(page, "Time").locator(".tuning-best").count(), 1);
    assert.equal(await chart(page, "Time").locator(".tuning-near").count(), answer.within_5_percent.length);
    await page.getByRole("button", { name: /^diagonal/ }).click();
    await page.waitForFunction(() => document.querySelectorAll(".tuning-charts figure:first-child polyline").length === 3);
    assert.equal(await page.getByRole("button", { name: /^diagonal/ }).getAttribute("aria-pressed"), "false");
}, opened);

scenario("a search: what the pointer is over is said with its values, and a click shows it in the table", async () => tuned(...blocks).address, async (page) => {
    const { answer } = tuned(...blocks);
    const box = await chart(page, "Time").boundingBox();
    await page.mouse.move(box.x + box.width - 20, box.y + box.height / 2);
    await tooltip(page).waitFor();
    const [heading, ...lines] = await tooltip(page).locator("> *").allTextContents();
    assert.equal(heading, "block 80");
    assert.equal(lines.length, 2);
    for (const line of lines) {
        const [, layout, standard, overestimate, overlapped] = /^(.*): (.*) standard, (.*) overestimate, (.*) overlapped/.exec(line);
        const point = answer.points.find(({ parameters }) => parameters.block === 80 && parameters.layout === layout);
        near(standard, point.standard_ns, line);
        near(overestimate, point.overestimate_ns, line);
        near(overlapped, point.overlapped_ns, line);
    }
    await page.mouse.click(box.x + box.width - 20, box.y + box.height / 2);
    await page.locator('.table [aria-selected="true"]', { hasText: "80" }).waitFor();
    assert.equal(await page.locator(".tuning-selected").count(), 3, "in each picture");
}, opened);

scenario("a search: arrow keys go from value to value", async () => tuned(...blocks).address, async (page) => {
    await chart(page, "Time").focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    assert.equal(await tooltip(page).locator("b").textContent(), "block 12");
    await page.keyboard.press("End");
    assert.equal(await tooltip(page).locator("b").textContent(), "block 80");
    await page.keyboard.press("Escape");
    await page.waitForFunction(() => !document.querySelector(".lanes-tooltip:not([hidden])"));
}, opened);

scenario("a search: the table has every point, sorts, and is copied with exact numbers", async () => tuned(...blocks).address, async (page) => {
    const { answer } = tuned(...blocks);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    assert.equal(await grid(page).getAttribute("aria-rowcount"), String(answer.points.length + 1));
    const [first] = await rows(page);
    assert.equal(first[0], "best");
    near(first[3], answer.best.standard.standard_ns, "the best");
    near(first[7], answer.best.standard.computation_ns, "computation");
    near(first[8], answer.best.standard.communication_ns, "communication");
    await page.getByRole("button", { name: "overestimate" }).click(); // the least on top
    near((await rows(page))[0][4], answer.best.overestimate.overestimate_ns, "the best by the overestimate");
    await page.getByRole("button", { name: "Copy table" }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    const [head, line, ...others] = (await page.evaluate(() => navigator.clipboard.readText())).trim().split("\n").map((each) => each.split("\t"));
    assert.deepEqual(head, ["layout", "block", "standard_ns", "overestimate_ns", "overlapped_ns", "computation_ns"]);
    assert.equal(Number(line[3]), answer.best.overestimate.overestimate_ns, "in the order that is shown");
    assert.equal(others.length + 1, answer.points.length);
}, opened);

scenario("a search can be gone along another parameter; names have points and no line", async () => tuned(...blocks).address, async (page) => {
    await page.locator(".choice label", { hasText: "layout" }).click();
    await page.getByRole("group", { name: /^Time over layout/ }).waitFor();
    assert.equal(await page.locator(".tuning-charts polyline").count(), 0);
    assert.equal(await page.getByRole("group", { name: "Curves to show" }).getByRole("button").count(), 10);
    assert.equal(await page.locator('.of-curves [aria-pressed="true"]').count(), 6, "as many as there are colours");
}, opened);

scenario("a coarse search names what it did not look at", async () => tuned(...graph).address, async (page) => {
    const { answer } = tuned(...graph);
    assert.ok(answer.searched < answer.of, "the search is coarse");
    const left = page.getByRole("region", { name: "Not looked at" });
    assert.match(await left.locator("h2").textContent(), new RegExp(`^${answer.of - answer.searched} of ${answer.of} points not looked at$`));
    assert.ok((await left.locator("li").count()) > 0);
    assert.ok((await chart(page, "Time").locator(".tuning-missing").count()) > 0);
    assert.equal(await grid(page).getAttribute("aria-rowcount"), String(answer.searched + 1));
    assert.equal(await page.getByRole("group", { name: /^Communication/ }).count(), 0, "a task graph has none");
}, opened);

scenario("a search over names alone has a point for each", async () => tuned(...networks).address, async (page) => {
    await page.getByRole("group", { name: /^Time over network/ }).waitFor();
    assert.equal(await chart(page, "Time").locator(".tuning-sign").count(), 3);
    assert.match(await page.locator(".tuning-lead").textContent(), /^The best is network infiniband-qdr/);
}, opened);

scenario("a search over the parameters of a model has numbers without a unit", async () => tuned(...model).address, async (page) => {
    const { answer } = tuned(...model);
    const [first] = await rows(page);
    assert.ok(Math.abs(Number(first[3]) - answer.best.mean.mean) < 1e-3, first.join());
    const ticks = await chart(page, "Time").locator(".axis text").allTextContents();
    assert.ok(ticks.every((tick) => /^[\d.]+$/.test(tick)), ticks.join());
}, opened);

scenario("of very many values the round ones have names, and signs do not touch", async () => tuned(file("examples/pamela/mrm.pam"), "--set", "N=1000", "--sweep", "P=1..900").address, async (page) => {
    const axis = chart(page, "Time").locator('.axis text[text-anchor="middle"]');
    await axis.first().waitFor();
    const names = (await axis.allTextContents()).map(Number);
    assert.ok(names.length >= 3 && names.every((name) => name % 50 === 0), names.join());
    const signs = await chart(page, "Time").locator(".tuning-sign").count();
    assert.ok(signs > 50 && signs < 450, String(signs));
    assert.equal(await chart(page, "Time").locator("polyline").getAttribute("points").then((points) => points.split(" ").length), 900);
}, opened);

for (const colorScheme of ["light", "dark"]) {
    for (const width of [1024, 1440]) {
        scenario(`${colorScheme}, ${width} pixels: nothing of a search is wider than the page, and colours are those of the scheme`, async () => tuned(...blocks).address, async (page) => {
            await chart(page, "Time").waitFor();
            const { wide, scheme } = await page.evaluate(() => ({
                wide: [...document.querySelectorAll(".tuning *")].filter((each) => each.getBoundingClientRect().right > innerWidth + 1).length,
                scheme: document.documentElement.dataset.scheme,
            }));
            assert.deepEqual({ wide, scheme }, { wide: 0, scheme: colorScheme });
        }, { ...opened, colorScheme, viewport: { width, height: 900 } });
    }
}

scenario("without scripts a search is read as text", async () => tuned(...blocks).address, async (page) => {
    const { answer } = tuned(...blocks);
    const text = (await page.locator("noscript pre").textContent()).replace(/\s+/g, " ");
    assert.ok(text.includes(answer.sentences[0]), text.slice(0, 400));
}, { ...opened, javaScriptEnabled: false });

scenario("what a search was saved as is what parcast tune --json prints", async () => tuned(...blocks).address, async (page) => {
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save as JSON" }).click();
    assert.deepEqual(JSON.parse(await readFile(await (await download).path(), "utf8")), tuned(...blocks).answer);
}, opened);
