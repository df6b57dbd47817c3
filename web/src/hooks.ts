// How do components hear of changes?

import { useEffect, useLayoutEffect, useReducer, useRef, useState } from "preact/hooks";
import type { Range, Store, ViewState } from "./state.ts";
import type { Workbench } from "./workbench.ts";

// The state without what changes with every frame of a pan: components that need the range ask for the settled one.
export type CalmState = Omit<ViewState, "range" | "cursors" | "mark">;

export function useStore(store: Store): CalmState {
    const [, render] = useReducer((count: number) => count + 1, 0);
    useLayoutEffect(
        () =>
            store.subscribe((next, last) => {
                const { range, cursors, mark } = last;
                if (!isSame({ ...next, range, cursors, mark }, last)) {
                    render(undefined);
                }
            }),
        [store],
    );
    return store.get();
}

function isSame(a: ViewState, b: ViewState): boolean {
    return (Object.keys(a) as (keyof ViewState)[]).every((key) => a[key] === b[key]);
}

const settling = 150; // ms

// The range, or the mark, once a gesture has come to rest.
export function useSettled(store: Store, what: "range" | "mark"): Range | null {
    const [settled, setSettled] = useState(store.get()[what]);
    useEffect(() => {
        let timer: ReturnType<typeof setTimeout> | undefined;
        setSettled(store.get()[what]);
        const stop = store.subscribe((next, last) => {
            if (next[what] !== last[what]) {
                clearTimeout(timer);
                timer = setTimeout(() => setSettled(next[what]), settling);
            }
        });
        return () => {
            clearTimeout(timer);
            stop();
        };
    }, [store, what]);
    return settled;
}

export function useWorkbench(workbench: Workbench): void {
    const [, render] = useReducer((count: number) => count + 1, 0);
    useLayoutEffect(() => workbench.subscribe(() => render(undefined)), [workbench]);
}

// The size of an element, as it changes.
export function useSize<T extends HTMLElement>(): [(element: T | null) => void, { width: number; height: number }] {
    const [size, setSize] = useState({ width: 0, height: 0 });
    const observer = useRef<ResizeObserver | null>(null);
    const attach = useRef((element: T | null) => {
        observer.current?.disconnect();
        if (element) {
            const measure = () =>
                setSize((last) =>
                    last.width === element.clientWidth && last.height === element.clientHeight
                        ? last
                        : { width: element.clientWidth, height: element.clientHeight },
                );
            observer.current = new ResizeObserver(measure);
            observer.current.observe(element);
            measure();
        }
    });
    useEffect(() => () => observer.current?.disconnect(), []);
    return [attach.current, size];
}

export function useMedia(query: string): boolean {
    const [matches, setMatches] = useState(() => matchMedia(query).matches);
    useEffect(() => {
        const list = matchMedia(query);
        const listen = () => setMatches(list.matches);
        listen();
        list.addEventListener("change", listen);
        return () => list.removeEventListener("change", listen);
    }, [query]);
    return matches;
}

export function useWindowSize(): { readonly width: number; readonly height: number } {
    const [size, setSize] = useState({ width: innerWidth, height: innerHeight });
    useEffect(() => {
        const listen = () => setSize({ width: innerWidth, height: innerHeight });
        addEventListener("resize", listen);
        return () => removeEventListener("resize", listen);
    }, []);
    return size;
}
