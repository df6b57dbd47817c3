// Can one choose lanes by boxes, step to similar events, along arrows and the path, and open a place in an editor?

import assert from "node:assert/strict";
import { inAddress, scenario, untilAddress } from "./page.mjs";
import { report, view } from "./program.mjs";

scenario("boxes in the table of threads choose the lanes, and the link holds them", () => report("gateway"), async (page) => {
    if (await page.getByRole("button", { name: "Show tables" }).isVisible()) {
        await page.getByRole("button", { name: "Show tables" }).click();
    }
    const note = page.locator(".panel-note");
    await note.getByText("9 of 9 threads are shown").waitFor();
    await page.getByRole("checkbox", { name: /^Lane of thread 3 / }).uncheck();
    await untilAddress(page, "hidden", /^3$/);
    await note.getByText("8 of 9").waitFor();
    await note.getByRole("button", { name: "none" }).click();
    await untilAddress(page, "hidden", /^0-8$/);
    await page.getByRole("checkbox", { name: /^Lane of thread 5 / }).check();
    await untilAddress(page, "hidden", /^0-4\.6\.7\.8$/);
    assert.equal(await inAddress(page, "select"), null, "a box selects nothing");
    await note.getByRole("button", { name: "all" }).click();
    await note.getByText("9 of 9 threads").waitFor();
});

scenario("the next event of a kind, the arrows and the critical path are a key away", async () => `${await report("gateway")}#select=event.4`, async (page) => {
    const steps = page.getByRole("group", { name: "Previous and next" });
    await steps.getByRole("button", { name: "Next event of this kind" }).click();
    const next = await untilAddress(page, "select", /^event\.(?!4$)\d+$/);
    await page.locator(".lanes-stage").first().focus();
    await page.keyboard.press(",");
    await untilAddress(page, "select", /^event\.4$/);
    await page.keyboard.press(".");
    assert.equal(await untilAddress(page, "select", /^event\.(?!4$)\d+$/), next);
    await page.keyboard.press("K");
    await untilAddress(page, "select", /^(interval|thread)\.\d+$/);
    assert.ok(await steps.getByRole("button", { name: "Previous along the critical path" }).isEnabled());
});

for (const size of [{ width: 1440, height: 900 }, { width: 1024, height: 768 }]) {
    scenario(`${size.width} px: the steps, the times in the margin and the source are in sight, and the details can be wider`, async () => `${await report("gateway")}#select=event.4`, async (page) => {
        const here = page.locator(".source pre .here").first();
        await here.waitFor();
        assert.match(await here.locator(".line-time").textContent(), /^(·|[\d.]+ (ns|µs|ms|s))$/);
        const cut = await page.locator(".steps").evaluate((steps) => [...steps.querySelectorAll("span, button")].filter((each) => each.scrollWidth > each.clientWidth + 1).length);
        assert.equal(cut, 0, "nothing in the steps is cut off");
        const box = await page.locator(".steps").boundingBox();
        assert.ok(box.y + box.height <= size.height, "the steps are in the window");
        const width = async () => (await page.locator(".details").boundingBox()).width;
        const before = await width();
        await page.getByRole("separator", { name: "Width of the details" }).focus();
        await page.keyboard.press("ArrowLeft");
        assert.equal(await width(), before + 32);
    }, { viewport: size });
}

scenario("a place is opened in the editor that was given, and a failure is said", async () => `${await view("gateway", "--editor", "no-such-editor {file}")}#select=event.4`, async (page) => {
    await page.getByRole("button", { name: "Open in editor" }).first().click();
    await page.getByRole("alert").getByText("no-such-editor could not be started").waitFor();
}, { before: withoutComplaint });

// The browser notes each answer that is no success in its console.
function withoutComplaint() {
    const ask = window.fetch;
    window.fetch = async (address, options) => {
        if (!/edit\?site=/.test(String(address))) {
            return ask(address, options);
        }
        return new Response("The editor: no-such-editor could not be started: No such file or directory.", { status: 500 });
    };
}

scenario("without an editor there is no such link", async () => `${await view("gateway")}#select=event.4`, async (page) => {
    await page.locator(".source pre .here").first().waitFor();
    assert.equal(await page.getByRole("button", { name: "Open in editor" }).count(), 0);
});
