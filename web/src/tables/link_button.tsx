// A button that reads as a part of its sentence.

import type { ComponentChildren } from "preact";

export function LinkButton({ act, children }: { readonly act: () => void; readonly children: ComponentChildren }) {
    return (
        <button type="button" class="link" onClick={act}>
            {children}
        </button>
    );
}
