// What is looked for? A field, its hits, and steps through them.

import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { CalmState } from "../hooks.ts";
import { countText, shortText, wholeText } from "../format.ts";
import type { Hit } from "../search.ts";
import type { Store } from "../state.ts";

interface Props {
    readonly store: Store;
    readonly state: CalmState;
    readonly hits: readonly Hit[];
    readonly step: (by: 1 | -1) => void;
    readonly field: RefObject<HTMLInputElement>;
}

export function SearchBox({ store, state, hits, step, field }: Props) {
    const [open, setOpen] = useState(false);
    const at = hits.findIndex((hit) => hit.selection.kind === state.selection?.kind && hit.selection.index === state.selection.index);
    const list = useRef<HTMLUListElement>(null);
    useEffect(() => list.current?.children[at]?.scrollIntoView({ block: "nearest" }), [at, open]);
    const found = state.search.trim() !== "";
    return (
        <div class="search" role="search" onFocusOut={(event) => !event.currentTarget.contains(event.relatedTarget as Node | null) && setOpen(false)}>
            <input
                ref={field}
                type="search"
                placeholder="Search  /"
                aria-label="Search threads, objects, functions and places"
                aria-controls="search-hits"
                aria-expanded={open && found}
                role="combobox"
                autocomplete="off"
                spellcheck={false}
                value={state.search}
                onFocus={() => setOpen(true)}
                onInput={(event) => {
                    store.set({ search: event.currentTarget.value });
                    setOpen(true);
                }}
                onKeyDown={(event) => {
                    if (event.key === "Enter" || event.key === "ArrowDown") {
                        step(event.shiftKey ? -1 : 1);
                    } else if (event.key === "ArrowUp") {
                        step(-1);
                    } else if (event.key === "Escape") {
                        store.set({ search: "" });
                        setOpen(false);
                        event.currentTarget.blur();
                    } else {
                        return;
                    }
                    event.preventDefault();
                    event.stopPropagation();
                }}
            />
            {found && <span class="search-count" aria-live="polite">{hits.length === 0 ? "none" : `${at < 0 ? "–" : countText(at + 1)}/${countText(hits.length)}`}</span>}
            {open && found && hits.length > 0 && (
                <ul id="search-hits" class="hits" role="listbox" aria-label="Hits" ref={list}>
                    {hits.map((hit, i) => (
                        <li
                            key={i}
                            role="option"
                            aria-selected={i === at}
                            title={wholeText(hit.label)}
                            onPointerDown={(event) => {
                                event.preventDefault();
                                store.set({ selection: hit.selection });
                            }}
                        >
                            <span class="hit-kind">{hit.kind}</span> {shortText(hit.label, 60)}
                        </li>
                    ))}
                </ul>
            )}
        </div>
    );
}
