// Which execution is wished for in one of the two places on screen, and which is shown there meanwhile?

import type { Execution } from "./execution.ts";
import type { Request } from "./source.ts";
import type { Side } from "./state.ts";

export interface Shown {
    readonly execution: Execution | null; // the newest answer, of an older wish while `pending`
    readonly side: Side;
    readonly scheduler: string;
    readonly scenario: string; // the change of the program; empty: as it is
    readonly pending: boolean;
    readonly error: string | null;
}

// What is shown is not what is wished.
export function isOld(shown: Shown): boolean {
    return shown.pending || shown.error !== null;
}

export interface Wish extends Request {
    readonly side: Side;
}

export function keyOf(wish: Wish): string {
    return `${curveKey(wish.side, wish.scheduler, wish.scenario)} ${wish.cpus}`;
}

export function curveKey(side: Side, scheduler: string, scenario = ""): string {
    return `${side} ${scheduler} ${scenario}`;
}

const patience = 250; // ms: an answer that takes longer is cancelled for a newer wish

export const nothing: Shown = { execution: null, side: "a", scheduler: "", scenario: "", pending: false, error: null };

// One of the two executions that can be on screen. While a slider is dragged it shows what it gets and then asks for
// the newest wish, so that the picture follows; an answer that takes long is cancelled for a newer wish.
export class Place {
    shown: Shown = nothing;
    private wished: Wish | null = null;
    private asked: { readonly wish: Wish; readonly control: AbortController } | null = null;
    private timer: ReturnType<typeof setTimeout> | undefined;
    private readonly load: (wish: Wish, signal: AbortSignal) => Promise<Execution>;
    private readonly changed: () => void;

    constructor(load: (wish: Wish, signal: AbortSignal) => Promise<Execution>, changed: () => void) {
        this.load = load;
        this.changed = changed;
    }

    wish(wish: Wish | null): void {
        if (wish === this.wished || (wish && this.wished && keyOf(wish) === keyOf(this.wished))) {
            return;
        }
        this.wished = wish;
        if (!wish) {
            this.cancel();
            this.show(nothing);
            return;
        }
        this.show({ ...this.shown, pending: true, error: null });
        if (!this.asked) {
            void this.ask(wish);
        } else {
            this.timer ??= setTimeout(() => this.askNewest(), patience);
        }
    }

    forget(): void {
        this.wished = null;
    }

    private cancel(): void {
        clearTimeout(this.timer);
        this.timer = undefined;
        this.asked?.control.abort();
        this.asked = null;
    }

    private askNewest(): void {
        this.cancel();
        if (this.wished) {
            void this.ask(this.wished);
        }
    }

    private async ask(wish: Wish): Promise<void> {
        const asked = (this.asked = { wish, control: new AbortController() });
        let answer: Partial<Shown>;
        try {
            const execution = await this.load(wish, asked.control.signal);
            answer = { execution, side: wish.side, scheduler: wish.scheduler, scenario: wish.scenario ?? "", error: null };
        } catch (error) {
            answer = { error: error instanceof Error ? error.message : String(error) };
        }
        if (this.asked !== asked) {
            return; // cancelled
        }
        const isNewest = this.wished !== null && keyOf(this.wished) === keyOf(wish);
        if (isNewest || !answer.error) {
            this.show({ ...this.shown, ...answer, pending: !isNewest });
        }
        this.asked = null;
        clearTimeout(this.timer);
        this.timer = undefined;
        if (!isNewest) {
            this.askNewest();
        }
    }

    private show(shown: Shown): void {
        this.shown = shown;
        this.changed();
    }
}
