// Light or dark? What the user chose, or else the system's wish.

import { applyScheme, type Scheme } from "./palette.ts";

export type Wish = Scheme | "system";

const storageKey = "parcast.scheme";

export class SchemeChoice {
    private wished: Wish;
    private readonly system = matchMedia("(prefers-color-scheme: dark)");
    private readonly listeners = new Set<(scheme: Scheme) => void>();

    constructor() {
        this.wished = stored();
        this.system.addEventListener("change", () => this.apply());
        this.apply();
    }

    get wish(): Wish {
        return this.wished;
    }

    get scheme(): Scheme {
        return this.wished === "system" ? (this.system.matches ? "dark" : "light") : this.wished;
    }

    // The system's wish, then the other one, then the one that the system wishes, for good.
    next(): void {
        const system: Scheme = this.system.matches ? "dark" : "light";
        const other: Scheme = system === "dark" ? "light" : "dark";
        this.wished = this.wished === "system" ? other : this.wished === other ? system : "system";
        try {
            localStorage.setItem(storageKey, this.wished);
        } catch {
            // Pages from disk may have no storage: the choice then lasts as long as the page.
        }
        this.apply();
    }

    subscribe(listener: (scheme: Scheme) => void): () => void {
        this.listeners.add(listener);
        return () => this.listeners.delete(listener);
    }

    private apply(): void {
        applyScheme(document.documentElement, this.scheme);
        this.listeners.forEach((listener) => listener(this.scheme));
    }
}

function stored(): Wish {
    try {
        const text = localStorage.getItem(storageKey);
        return text === "light" || text === "dark" ? text : "system";
    } catch {
        return "system";
    }
}
