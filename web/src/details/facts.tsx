// Names and values in a column, and names that lead to what they name.

import type { ComponentChildren } from "preact";
import { shortText, wholeText } from "../format.ts";
import type { Selection, Store } from "../state.ts";

export function Facts({ children }: { readonly children: ComponentChildren }) {
    return <dl class="facts">{children}</dl>;
}

export function Fact({ name, about, children }: { readonly name: string; readonly about?: string; readonly children: ComponentChildren }) {
    return (
        <>
            <dt title={about}>{name}</dt>
            <dd>{children}</dd>
        </>
    );
}

// A name that leads to what it names.
export function Link({ store, to, text }: { readonly store: Store; readonly to: Selection; readonly text: string }) {
    return (
        <button type="button" class="link" title={wholeText(text)} onClick={() => store.set({ selection: to })}>
            {shortText(text, 80)}
        </button>
    );
}
