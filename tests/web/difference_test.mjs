// Does the page of `parcast compare -o` show both sides, and how they differ?

import assert from "node:assert/strict";
import { cells, says, scenario } from "./page.mjs";
import { comparedPage, measuredPage, predicted } from "./program.mjs";

scenario("compare -o: the sentences, both curves, both lanes, the table of differences", () => comparedPage("one_lock", "--what-if", "thread:1*0.5", "--cpus", "1,2,4"), async (page) => {
    await page.getByRole("region", { name: "Timeline below" }).waitFor();
    const first = /^(On \d+ CPUs? B |A and B )/;
    assert.match(await page.locator(".brief-lead").textContent(), first);
    await page.getByRole("button", { name: "More" }).click(); // in a window of 900 lines there is a line
    const card = page.getByRole("region", { name: "Difference" });
    assert.match(await card.locator(".difference-first").textContent(), first);
    const rows = predicted("one_lock", "--cpus", "1,2,4", "--what-if", "thread:1*0.5").predictions;
    const times = card.getByRole("table", { name: "Times by number of CPUs" });
    for (const row of rows) {
        const cells = times.locator("tbody tr").filter({ has: page.getByRole("button", { name: String(row.cpus), exact: true }) }).locator("td");
        says(await cells.nth(1).textContent(), row.time_ns, "time of A");
        says(await cells.nth(2).textContent(), row.what_if[0].time_ns, "time of B");
    }
    assert.equal(await page.locator(".curve").count(), 2);
    assert.equal(await page.locator(".lanes-stage").count(), 2);
    await times.getByRole("button", { name: "2", exact: true }).click();
    await page.locator(".strip", { hasText: "2 CPUs" }).nth(1).waitFor();
    assert.match(await card.getByRole("table", { name: /Processor time over the CPUs, on 2 CPUs/ }).textContent(), /own code/);
});

scenario("compare -o with a measurement: its lanes, its point, the parts of the error; nothing to replay", () => measuredPage("histogram").address, async (page) => {
    const { sides, differences } = measuredPage("histogram").answer;
    const [count] = differences[0].counts;
    assert.deepEqual([sides[1].origin, count.cpus], ["measured", 2]);
    const lower = page.getByRole("region", { name: "Timeline below" });
    await lower.waitFor();
    const strips = page.locator(".strip");
    assert.match(await strips.nth(0).textContent(), /, 2 CPUs, linux$/, "opens on the number of CPUs that was measured");
    assert.match(await strips.nth(1).textContent(), /, measured on 2 CPUs$/);
    assert.equal(await page.getByLabel("CPUs below, number").count(), 0, "the measured run is not replayed");
    await page.getByRole("button", { name: "More" }).click();
    const card = page.getByRole("region", { name: "Difference" });
    const parts = await cells(card.getByRole("table", { name: "Processor time over the CPUs, on 2 CPUs" }));
    const part = (name) => parts.find(([each]) => each === name) ?? [];
    says(part("time")[2], count.second.time_ns, "time of B");
    says(part("time")[1], count.first.time_ns, "time of A");
    for (const { label, second_ns } of count.shares) {
        says(part(label)[2] || "0 ms", second_ns, label);
    }
    assert.ok(part("own code and system")[2] && part("waiting")[2]);
    assert.equal(await card.getByRole("table", { name: /^Waiting for locks/ }).count(), 0, "the kernel does not tell for what threads wait");
    const point = page.locator(".chart .measured");
    assert.equal(await point.count(), 1);
    assert.match(await point.locator("title").textContent(), /^measured on 2 CPUs: 1\.00 s, .* times as fast as predicted on one$/);
    assert.ok((await page.locator(".curve .dot").count()) > 2, "a curve of predictions beside it");
});

scenario("another number of CPUs keeps the measured lanes, and says on how many they were measured", () => measuredPage("histogram").address, async (page) => {
    await page.getByRole("button", { name: "More" }).click();
    const field = page.getByLabel("CPUs, number", { exact: true });
    await field.fill("4");
    await field.press("Enter");
    const strips = page.locator(".strip");
    await strips.nth(0).filter({ hasText: "4 CPUs" }).waitFor();
    assert.match(await strips.nth(1).textContent(), /, measured on 2 CPUs$/);
    await page.getByRole("region", { name: "Difference" }).getByText("B was measured on 2 CPUs only").waitFor();
    await page.getByRole("group", { name: "Execution below" }).getByText("on 2 CPUs, as it was measured").waitFor();
    await page.getByRole("button", { name: "Show 2 CPUs" }).click();
    await strips.nth(0).filter({ hasText: "2 CPUs" }).waitFor();
});

scenario("the measured side has the system's CPUs, and no tables of what was not measured", () => measuredPage("histogram").address, async (page) => {
    await page.getByRole("region", { name: "Timeline below" }).locator(".lanes-stage").click({ position: { x: 600, y: 120 } });
    await page.getByRole("complementary", { name: "Details" }).getByText("It waits; the kernel does not tell for what.").waitFor();
    const tabs = page.getByRole("tablist", { name: "Tables" }).getByRole("tab");
    await tabs.filter({ hasText: "Threads2" }).waitFor();
    assert.deepEqual(await tabs.allTextContents(), ["Threads2", "Intervals", "CPUs", "Parallelism", "Marked interval"]);
    await tabs.filter({ hasText: "CPUs" }).click();
    const rows = page.getByRole("tabpanel", { name: "CPUs" });
    await rows.getByText("CPU 5").waitFor();
    await rows.getByText("CPU 9").waitFor();
});
