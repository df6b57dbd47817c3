// Keys of the whole page: what each does now is asked for when it is pressed.

import { useEffect, useRef } from "preact/hooks";
import { isTyping } from "./shortcuts.ts";

export type KeyActions = Readonly<Record<string, () => void>>;

export function useKeys(actions: KeyActions): void {
    const now = useRef(actions);
    now.current = actions;
    useEffect(() => {
        const listen = (event: KeyboardEvent) => {
            const act = now.current[event.key];
            const isCommand = event.ctrlKey || event.metaKey || event.altKey;
            if (act && !event.defaultPrevented && !isCommand && !isTyping(event.target) && !document.querySelector("dialog[open]")) {
                event.preventDefault();
                act();
            }
        };
        document.addEventListener("keydown", listen);
        return () => document.removeEventListener("keydown", listen);
    }, []);
}
