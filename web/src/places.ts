// Which executions are on screen, and which of them are details and tables about?

import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { carriedOver } from "./carry_over.ts";
import { useStore, type CalmState } from "./hooks.ts";
import type { Store } from "./state.ts";
import type { Bench, Workbench } from "./workbench.ts";
import type { Shown } from "./wished_execution.ts";

// One of the executions on screen, with what is selected in it.
export interface Place {
    readonly shown: Shown;
    readonly bench: Bench;
    readonly store: Store;
    readonly state: CalmState;
}

// The upper execution, the lower one of two that are compared, and that of both in which something was selected last:
// the one that details and tables are about.
export function usePlaces(workbench: Workbench, store: Store, lowerStore: Store): [upper: Place, lower: Place, active: Place] {
    const state = useStore(store);
    const lowerState = useStore(lowerStore);
    useEffect(() => store.subscribe((next, last) => next.selection !== last.selection && store.set({ about: "upper" })), [store]);
    useEffect(
        () => lowerStore.subscribe((next, last) => next.selection !== last.selection && lowerStore.set({ about: next.selection ? "lower" : "upper" })),
        [lowerStore],
    );
    const upper = { shown: workbench.shown("upper"), bench: workbench.bench("a"), store, state };
    const lower = {
        shown: workbench.shown("lower"),
        bench: workbench.bench(state.compare?.source ?? "a"),
        store: lowerStore,
        state: lowerState,
    };
    useCarriedOver(upper, lower);
    useCarriedOver(lower, upper);
    return [upper, lower, state.about === "lower" && lower.shown.execution ? lower : upper];
}

// When another execution takes the place of one, the view is carried over as far as it means the same in both.
function useCarriedOver({ shown, store }: Place, other: Place): void {
    const last = useRef(shown.execution);
    useLayoutEffect(() => {
        const before = last.current;
        const now = shown.execution;
        last.current = now;
        if (before && now && before !== now) {
            const end = Math.max(now.totals.completion, other.shown.execution?.totals.completion ?? 0);
            store.set(carriedOver(store.get(), before, now, end));
        }
    }, [shown.execution]);
}
