// Does the page say which function or lock is on the critical path, at each number of CPUs?

import assert from "node:assert/strict";
import { cells, chooseCount, scenario } from "./page.mjs";
import { predicted, ways } from "./program.mjs";

const percent = (text) => (text === "" ? 0 : Number(/([\d.]+) ?%/.exec(text)[1]) / 100);

for (const [way, address] of Object.entries(ways)) {
    scenario(`${way}: the critical path by function has every predicted count, and each sums to all of it`, () => address("one_lock"), async (page) => {
        await page.getByRole("tab", { name: "Critical path" }).click();
        const table = page.getByRole("region", { name: "Critical path by function" });
        await page.waitForFunction(() => {
            const text = document.querySelector(".path-table")?.textContent ?? "…";
            return !text.includes("…");
        });
        const counts = await table.locator("thead button").allTextContents();
        assert.deepEqual(counts, predicted("one_lock").predictions.map((row) => String(row.cpus)));
        const rows = await cells(table);
        counts.forEach((cpus, column) => {
            const functions = rows.filter(([name]) => !name.startsWith("of it"));
            const sum = functions.reduce((all, row) => all + percent(row[column + 1]), 0);
            assert.ok(Math.abs(sum - 1) < 0.04, `${cpus} CPUs: ${sum}`);
        });
        assert.ok(rows.some(([name]) => name.startsWith("of it, holding")), "its threads wait for one lock");
    });

    scenario(`${way}: a count of the table is chosen, and the count that is chosen is marked in it`, () => address("one_lock"), async (page) => {
        await page.getByRole("tab", { name: "Critical path" }).click();
        const heads = page.locator(".path-table thead");
        await heads.getByRole("button", { name: "2", exact: true }).click();
        await page.locator(".overview:not(.stale) .figures", { hasText: "on 2 CPUs" }).waitFor();
        assert.equal(await heads.locator(".now").textContent(), "2");
        await chooseCount(page, 3);
        await heads.locator(".now", { hasText: "3" }).waitFor();
    });
}
