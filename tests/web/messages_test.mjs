// Programs that send messages: lanes of ranks, their messages as arrows, who sends to whom, and other networks; in a report and
// from a server, in both schemes. Numbers are those of parcast predict.

import assert from "node:assert/strict";
import { cells, inAddress, says, scenario, settled, untilAddress } from "./page.mjs";
import { predicted, report, view } from "./program.mjs";

const meiko = ["--network", "meiko-cs2"];
const qdr = ["--network", "infiniband-qdr"];

const lastRow = (name, ...network) => predicted(name, ...network).predictions.at(-1);

async function chooseNetwork(page, name) {
    await page.getByLabel("Network", { exact: true }).selectOption(name);
    await page.locator(".details .facts", { hasText: `Network${name}` }).waitFor();
    await settled(page);
}

async function openTable(page, name) {
    await page.getByRole("tab", { name }).click();
}

for (const colorScheme of ["light", "dark"]) {
    scenario(`steps are shown as they overlap, on the networks that one chooses, ${colorScheme}`, () => report("wave", ...meiko), async (page) => {
        says(await page.locator(".figures b").first().textContent(), lastRow("wave", ...meiko).time_ns, "time");
        assert.match(await page.locator(".figures").textContent(), /on 9 ranks/);
        assert.equal(await page.getByLabel("CPUs, number", { exact: true }).count(), 0, "ranks are not chosen");
        assert.match(await page.locator(".notes").textContent(), /as they would overlap/);
        await chooseNetwork(page, "infiniband-qdr");
        says(await page.locator(".figures b").first().textContent(), lastRow("wave", ...qdr).time_ns, "time on another network, replayed in the page");
        await page.getByLabel("Network: Latency in µs").fill("100");
        await page.getByLabel("Network: Latency in µs").press("Enter");
        await untilAddress(page, "scheduler", /^own:/);
        await settled(page);
        const slower = lastRow("wave", "--network", "loggp:L=100us,o=380ns,G=0.25ns").time_ns;
        says(await page.locator(".figures b").first().textContent(), slower, "time with a value of one's own");
    }, { colorScheme });
}

scenario("a message is selected in the table, and says when, how large and why it was late", () => report("wave", ...meiko), async (page) => {
    await openTable(page, /^Messages/);
    await page.getByRole("row", { name: /rank 0.*rank 3/ }).click();
    assert.equal(await inAddress(page, "select"), null, "the address follows after a moment");
    await untilAddress(page, "select", /^message\.0$/);
    const details = page.locator(".details");
    assert.match(await details.locator(".name").textContent(), /101 B from rank 0 to rank 3/);
    assert.match(await details.locator(".reason").textContent(), /The receiver waited 6\.00? ?µs for it while it was on its way/);
    assert.match(await details.locator(".facts").textContent(), /Size101 bytes.*Tag0/);
});

scenario("who sends to whom: the pairs sum to what the program sends, and one is selected", () => report("wave", ...meiko), async (page) => {
    await page.keyboard.press("t");
    const rows = await cells(page.getByRole("table", { name: /Pairs of ranks/ }));
    assert.equal(rows.reduce((sum, row) => sum + Number(row[1]), 0), predicted("wave", ...meiko).input.messages);
    await page.getByRole("button", { name: "0 → 3" }).first().click();
    await untilAddress(page, "select", /^pair\.3$/);
    assert.match(await page.locator(".details .facts").textContent(), /Messages1Bytes101 B/);
    await page.keyboard.press("t");
    await page.keyboard.press("f");
    await untilAddress(page, "range", /-/); // of its only message
});

scenario("a server replays other networks, and compares two", () => view("wave", ...meiko), async (page) => {
    says(await page.locator(".figures b").first().textContent(), lastRow("wave", ...meiko).time_ns, "time");
    await chooseNetwork(page, "ethernet-200g");
    says(await page.locator(".figures b").first().textContent(), lastRow("wave", "--network", "ethernet-200g").time_ns, "time on another network");
    await page.getByRole("button", { name: "Compare" }).click();
    await page.locator(".timelines .strip").nth(1).waitFor();
    assert.match(await page.locator(".timelines .strip").nth(0).textContent(), /9 ranks, network ethernet-200g/);
    assert.match(await page.locator(".timelines .strip").nth(1).textContent(), /9 ranks, network as given/);
});

scenario("a deadlock names ranks and whom they wait for", () => report("deadlock", ...qdr), async (page) => {
    assert.match(await page.locator(".verdict .warnings").textContent(), /The program deadlocks.*rank 0 waits for rank 1/);
});
