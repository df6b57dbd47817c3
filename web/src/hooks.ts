// How do components hear of changes?

import { useEffect, useLayoutEffect, useReducer, useRef, useState } from "preact/hooks";
import type { Store, ViewState } from "./state.ts";
import type { Workbench } from "./workbench.ts";

export function useStore(store: Store): ViewState {
    const [, render] = useReducer((count: number) => count + 1, 0);
    useLayoutEffect(() => store.subscribe(() => render(undefined)), [store]);
    return store.get();
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
