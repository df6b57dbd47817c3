import assert from "node:assert/strict";
import { test } from "node:test";
import { hasRoomForAnswers } from "../src/chrome/room.ts";

test("the answers give way where the lanes would not have enough room", () => {
    const rows: [width: number, height: number, timelines: 1 | 2, tablesOpen: boolean, hasRoom: boolean, because: string][] = [
        [1280, 800, 1, false, true, "the first screen of a laptop is all of it"],
        [1280, 800, 1, true, false, "tables take what the lanes need"],
        [1280, 800, 2, false, false, "two timelines"],
        [1440, 900, 1, true, true, "a window a little larger has room for both"],
        [1440, 900, 2, false, false, "but not for two timelines"],
        [1920, 1080, 2, false, true, "a large one has"],
        [1920, 1080, 2, true, false, "but not for the tables too"],
        [1920, 1400, 2, true, true, "a very large one has room for everything"],
        [1024, 768, 1, false, true, "a narrow one has a higher header"],
        [1024, 768, 2, false, false, ""],
        [800, 700, 2, true, true, "a small one scrolls"],
        [1280, 600, 2, true, true, "and a low one"],
    ];
    for (const [width, height, timelines, tablesOpen, hasRoom, because] of rows) {
        assert.equal(hasRoomForAnswers({ width, height }, { timelines, tablesOpen }), hasRoom, `${width} x ${height}: ${because}`);
    }
});
