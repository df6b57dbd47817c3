// Does the page say plainly that a replay deadlocks, and show what there is until then?

import assert from "node:assert/strict";
import { chooseCount, inAddress, says, scenario } from "./page.mjs";
import { predicted, ways } from "./program.mjs";

const name = "crossed_locks";

for (const [way, address] of Object.entries(ways)) {
    scenario(`${way}: a deadlock is said with who waits for whom, and lanes show what led to it`, () => address(name), async (page) => {
        const { deadlock } = predicted(name).predictions.at(-1);
        const said = page.locator(".verdict [role=alert]");
        const lead = await said.locator("p").first().textContent();
        says(/deadlocks after (\S+ \S+);/.exec(lead)[1], deadlock.time_ns, "time of the deadlock");
        const listed = await said.locator("li").allTextContents();
        const stuck = listed.filter((text) => / waits for /.test(text));
        assert.equal(stuck.length, deadlock.threads.length);
        assert.match(listed.at(-1), /holds .* and wants .*: the program itself can hang like this/);
        assert.ok(stuck.some((text) => /waits for .*left.*, held by /.test(text)), stuck.join("; "));
        await page.locator(".lanes-deadlock").waitFor();
        assert.match(await page.locator(".lanes-deadlock").textContent(), /deadlocks here/);
        await said.getByRole("button", { name: "Show" }).nth(stuck.length - 1).click();
        await page.waitForFunction(() => /select=thread/.test(location.hash));
        assert.match(await inAddress(page, "select"), /^thread\.\d+$/);
        await page.locator(".lanes-stage").focus();
        await page.keyboard.press("ArrowRight");
        await page.locator(".details h2", { hasText: "Interval" }).waitFor();
    });

    scenario(`${way}: beside a deadlock, a count on which it ends is as ever`, () => address(name), async (page) => {
        await chooseCount(page, 1);
        assert.equal(await page.locator(".verdict [role=alert]").count(), 0);
        await page.locator(".lanes-deadlock").waitFor({ state: "hidden" }); // with the next frame
        await page.getByRole("button", { name: "As tables" }).click();
        assert.ok((await page.locator(".chart table").textContent()).includes("deadlock"));
    });
}
