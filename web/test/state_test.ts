import assert from "node:assert/strict";
import { test } from "node:test";
import { belowFromHash, fromHash, toHash } from "../src/address.ts";
import { initialState, linkedStore, nothingOwn, Store, type ViewState } from "../src/state.ts";

const initial = initialState(8, "linux");

test("a view and its link say the same", () => {
    const views: Partial<ViewState>[] = [
        {},
        { cpus: 12, scheduler: "ideal" },
        { range: [1000.5, 2_000_000_000], mark: [5, 6], cursors: [7, 8] },
        { selection: { kind: "interval", index: 123456 }, mode: "cpu", hideIdle: true },
        { search: "a&b=c#ü %", pinned: [3, 1], hidden: [2], order: [5, 4], panel: "objects" },
        { compare: { source: "b", cpus: 4, scheduler: "linux" } },
        { answers: "brief", charts: "tables" },
    ];
    for (const change of views) {
        const view = { ...initial, ...change };
        assert.deepEqual(fromHash("#" + toHash(view, initial), initial), view);
    }
});

test("the link of the first view is empty", () => {
    assert.equal(toHash(initial, initial), "");
});

test("a link that makes no sense shows the first view", () => {
    for (const hash of [
        "#cpus=-1&range=5-1&select=interval.x&by=moon",
        "#cpus=0&range=1-2-3&select=thread&mark=a-b&cursors=1.x&compare=c.1.linux",
        "#%%%&=&==&cpus&scheduler=<script>&search=%E0%A4%A&table=__proto__",
    ]) {
        assert.deepEqual(fromHash(hash, initial), initial);
    }
});

test("listeners are told once of a change, and not of none", () => {
    const store = new Store(initial);
    let told = 0;
    const stop = store.subscribe(() => ++told);
    store.set({ cpus: 8, range: null, pinned: [] });
    assert.equal(told, 0);
    store.set({ cpus: 4, search: "x" });
    assert.equal(told, 1);
    stop();
    store.set({ cpus: 2 });
    assert.equal(told, 1);
});

test("zooms are undone in turn, a drag as one", () => {
    const store = new Store(initial);
    store.zoomTo([0, 10]);
    store.zoomTo([2, 4]);
    store.rememberZoom();
    store.set({ range: [3, 5] });
    store.set({ range: [4, 6] });
    assert(store.undoZoom());
    assert.deepEqual(store.get().range, [2, 4]);
    assert(store.undoZoom());
    assert.deepEqual(store.get().range, [0, 10]);
    assert(store.undoZoom());
    assert.equal(store.get().range, null);
    assert(!store.undoZoom());
});

test("a drag that moved nothing is no zoom to go back to", () => {
    const store = new Store(initial);
    store.zoomTo([0, 10]);
    store.rememberZoom();
    assert(store.undoZoom());
    assert.equal(store.get().range, null);
    store.rememberZoom();
    assert(!store.canUndoZoom);
});

test("a zoom that was undone is done again, until there is another", () => {
    const store = new Store(initial);
    store.zoomTo([0, 10]);
    store.zoomTo([2, 4]);
    assert(!store.redoZoom());
    assert(store.undoZoom());
    assert(store.undoZoom());
    assert.equal(store.get().range, null);
    assert(store.redoZoom());
    assert.deepEqual(store.get().range, [0, 10]);
    assert(store.redoZoom());
    assert.deepEqual(store.get().range, [2, 4]);
    assert(!store.redoZoom());
    assert(store.canUndoZoom && !store.canRedoZoom);
    assert(store.undoZoom());
    assert(store.canRedoZoom);
    store.zoomTo([5, 6]);
    assert(!store.canRedoZoom);
    assert(!store.redoZoom());
});

test("a link holds what the lower of two executions has for itself", () => {
    const view: ViewState = { ...initial, compare: { source: "a", cpus: 2, scheduler: "linux" }, about: "lower" };
    const below = { selection: { kind: "thread", index: 7 } as const, pinned: [3], hidden: [2, 1], order: [5, 4], unfolded: [3] };
    const hash = "#" + toHash(view, initial, below);
    assert.deepEqual(fromHash(hash, initial), view);
    assert.deepEqual(belowFromHash(hash), below);
    assert.deepEqual(belowFromHash("#" + toHash({ ...view, compare: null }, initial, below)), nothingOwn); // there is none
    assert.deepEqual(belowFromHash("#select-below=moon.1&pinned-below=x&order-below=1.-2"), nothingOwn);
});

test("two executions share times and manner, and each keeps its own threads", () => {
    const upper = new Store(initial);
    const lower = linkedStore(upper, { ...nothingOwn, pinned: [1] });
    upper.set({ range: [1, 2], pinned: [4], selection: { kind: "thread", index: 2 } });
    assert.deepEqual(lower.get().range, [1, 2]);
    assert.deepEqual(lower.get().pinned, [1]);
    assert.equal(lower.get().selection, null);
    lower.zoomTo([3, 4]);
    assert(upper.undoZoom());
    assert.deepEqual(lower.get().range, [1, 2]);
    assert(lower.redoZoom());
    assert.deepEqual(upper.get().range, [3, 4]);
});

test("a link of very many hidden lanes is short", () => {
    const hidden = [5, ...Array.from({ length: 3000 }, (_, id) => 10 + id), 7, 8];
    const hash = toHash({ ...initial, hidden }, initial);
    assert.equal(hash, "hidden=5.10-3009.7.8");
    assert.deepEqual(fromHash(`#${hash}`, initial).hidden, hidden);
    for (const wrong of ["3-1", "1-2-3", "0-999999999", "1-x"]) {
        assert.deepEqual(fromHash(`#hidden=${wrong}`, initial).hidden, [], wrong);
    }
});
