// Puts a text where the next paste finds it. Absent where the browser does not let pages do that.

import { useState } from "preact/hooks";

const said = 1500; // ms

export function CopyButton({ name, text }: { readonly name: string; readonly text: () => string }) {
    const [copied, setCopied] = useState(false);
    const copy = async () => {
        await navigator.clipboard.writeText(text());
        setCopied(true);
        setTimeout(() => setCopied(false), said);
    };
    return navigator.clipboard ? (
        <button type="button" class="small" onClick={() => void copy().catch(() => undefined)}>
            {copied ? "Copied" : name}
        </button>
    ) : null;
}
