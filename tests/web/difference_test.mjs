// Does the page of `parcast compare -o` show both sides, and how they differ?

import assert from "node:assert/strict";
import { says, scenario } from "./page.mjs";
import { comparedPage, predicted } from "./program.mjs";

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
