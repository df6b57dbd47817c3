// A button that opens a short list of things to do.

import { useRef } from "preact/hooks";

export interface Entry {
    readonly name: string;
    readonly act: () => void;
}

export function Menu({ name, entries }: { readonly name: string; readonly entries: readonly Entry[] }) {
    const menu = useRef<HTMLDetailsElement>(null);
    const close = () => {
        if (menu.current?.open) {
            menu.current.open = false;
            menu.current.querySelector("summary")?.focus();
        }
    };
    return (
        <details
            class="menu"
            ref={menu}
            onFocusOut={(event) => {
                if (event.relatedTarget && !event.currentTarget.contains(event.relatedTarget as Node)) {
                    event.currentTarget.open = false;
                }
            }}
            onKeyDown={(event) => {
                if (event.key === "Escape") {
                    event.stopPropagation();
                    close();
                }
            }}
        >
            <summary>{name}</summary>
            <div class="menu-entries">
                {entries.map((entry) => (
                    <button
                        key={entry.name}
                        type="button"
                        onClick={() => {
                            entry.act();
                            close();
                        }}
                    >
                        {entry.name}
                    </button>
                ))}
            </div>
        </details>
    );
}
