// Does the page of a series of recordings say what `parcast signature` prints: its verdict, its charts, its tables?

import assert from "node:assert/strict";
import { says, scenario } from "./page.mjs";
import { signatureOf, signed, ways } from "./program.mjs";

const naive = () => signed("naive", "33", "3", "100");
const opened = { unsettled: true };
const chart = (page, title) => page.getByRole("group", { name: new RegExp(`^${title} over 5 numbers of threads`) });
const grid = (page, name) => page.getByRole("grid", { name, exact: true });
const rows = (page, name) => grid(page, name).locator(".table-body [role=row]").evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent.trim())));

scenario("a signature: the verdict comes first, word for word", async () => naive().address, async (page) => {
    const { answer } = naive();
    const verdict = page.getByRole("region", { name: "Verdict" });
    assert.equal(await verdict.locator(".tuning-lead").textContent(), answer.verdict[0]);
    assert.deepEqual(await verdict.locator("li").allTextContents(), answer.verdict.slice(1));
    assert.match(await page.title(), /^jacobi: signature of 5 recordings – parcast$/);
}, opened);

scenario("a signature: events with their fits, work by thread, and the speed-ups of all laws", async () => naive().address, async (page) => {
    const lines = (title) => chart(page, title).locator(".signature-line").count();
    await chart(page, "Speed-up").waitFor();
    const { recordings, theta_ns: theta, characteristic } = naive().answer;
    const laws = Object.values(recordings[0].laws).filter((speedUp) => speedUp !== null);
    assert.ok(laws.length >= 2, "Amdahl and Gustafson can always be fitted");
    assert.equal(await lines("Speed-up"), laws.length + 1, "and that of the replay");
    assert.equal(await lines("Work of a thread, W\\(P\\)/P"), theta === null ? 1 : 2);
    assert.equal(await lines("Events of all threads, E = g\\(P\\)"), Math.min(characteristic.candidates.length, 4) + 1);
    const before = await lines("Speed-up");
    await page.getByRole("group", { name: "Lines to show: Speed-up" }).getByRole("button", { name: "Amdahl" }).click();
    assert.equal(await lines("Speed-up"), before - 1, "a line is hidden by its key");
}, opened);

scenario("a signature: bands over threads, and values in words by arrow keys", async () => naive().address, async (page) => {
    const { answer } = naive();
    const reads = chart(page, "Duration of a read");
    assert.equal(await reads.locator(".signature-band").count(), 2, "the interval, and the least and the most");
    await reads.focus();
    await page.keyboard.press("End");
    const words = await page.locator(".lanes-tooltip:not([hidden]) > *").allTextContents();
    assert.equal(words[0], "8 threads");
    says(words[1].replace("mean: ", ""), answer.recordings.at(-1).read_ns.mean, "the mean");
    await page.keyboard.press("Escape");
    await page.waitForFunction(() => !document.querySelector(".lanes-tooltip:not([hidden])"));
}, opened);

scenario("a signature: a row for each recording sorts, is copied with exact numbers, and shows its threads", async () => naive().address, async (page) => {
    const { answer } = naive();
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    assert.deepEqual((await rows(page, "Recordings")).map(([threads]) => threads), ["2", "3", "4", "6", "8"]);
    await page.getByRole("button", { name: "Copy table" }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    const [head, first] = (await page.evaluate(() => navigator.clipboard.readText())).split("\n").map((each) => each.split("\t"));
    assert.equal(Number(first[head.indexOf("W")]), answer.recordings[0].work_ns);
    assert.equal((await rows(page, "Threads")).length, 8, "those of the most threads at first");
    await grid(page, "Recordings").locator("[role=row]", { hasText: /^3/ }).first().click();
    await page.getByRole("heading", { name: "With 3 threads" }).waitFor();
    const shown = await rows(page, "Threads");
    assert.deepEqual(shown.map((row) => Number(row[2].replace(",", ""))), answer.recordings[1].thread_rows.map((row) => row.events));
}, opened);

scenario("a signature: the causes with their places, the one that grows most on top", async () => naive().address, async (page) => {
    const { answer } = naive();
    const shown = await rows(page, "Causes");
    assert.deepEqual(shown.map((row) => row[2]), answer.causes.map((cause) => cause.text));
    assert.match(shown[0][2], /^semaphore (post|wait).*jacobi\.cpp:\d+/);
}, opened);

scenario("a signature in the dark", async () => naive().address, async (page) => {
    assert.equal(await page.evaluate(() => document.documentElement.dataset.scheme), "dark");
    await page.getByRole("img", { name: /^Threads over time/ }).waitFor();
}, { ...opened, colorScheme: "dark" });

for (const [way, open] of Object.entries(ways)) {
    scenario(`${way} of one recording: the tab Signature has a row for each thread, which a click selects`, () => open("one_lock"), async (page) => {
        const { recordings: [recording] } = signatureOf("one_lock");
        await page.getByRole("tab", { name: "Signature" }).click();
        await grid(page, "Signature").waitFor();
        assert.match(await page.locator(".panel-note").textContent(), new RegExp(`^${recording.events} events of ${recording.all_threads} threads`));
        const shown = await rows(page, "Signature");
        assert.ok(shown.length > 0);
        for (const [i, row] of shown.entries()) {
            const thread = recording.thread_rows[i];
            assert.deepEqual([Number(row[0]), Number(row[2])], [thread.id, thread.events]);
            says(row[3], thread.alpha_ns, "active period");
            says(row[8], thread.active_ns, "active");
        }
        await grid(page, "Signature").locator("[role=row]", { hasText: shown[1][1] }).first().click();
        await grid(page, "Signature").locator('[aria-selected="true"]').waitFor();
    });
}
