// What is shown at first, and what does a link show? What a link says is held to what there is.

import { fromHash } from "./address.ts";
import { mostCpus } from "./first_screen/count_steps.ts";
import { numbersOf } from "./networks.ts";
import { isRecorded, offersRecorded, recorded } from "./recorded.ts";
import type { Request, Source } from "./source.ts";
import { initialState, type Comparison, type Side, type ViewState } from "./state.ts";
import type { Bench } from "./workbench.ts";

export type Benches = { readonly a: Bench } & Readonly<Partial<Record<Side, Bench>>>;

export async function benchOf(source: Source): Promise<Bench> {
    const overview = await source.overview();
    return { source, overview, offered: await source.offered(overview) };
}

// At first, the count that was measured, or that the verdict of `parcast predict` is about: the first one beyond which it does
// not scale. While that is not known, one CPU, as it was recorded.
export function firstState({ a, b }: Benches): ViewState {
    const { overview } = a;
    const { scheduler, cpus, max_cpus: most } = overview;
    const measuredOn = b?.overview.measurement ? b.overview.cpus[0] : undefined;
    const wish = { scheduler, cpus: !overview.complete ? 1 : measuredOn ?? overview.prediction.scaling.first_cpus_beyond ?? cpus[cpus.length - 1] ?? most };
    const initial: ViewState = { ...initialState(1, scheduler), mode: overview.graph ? "cpu" : "thread" };
    const first = { ...initial, ...held(wish, a) };
    return { ...first, compare: b ? { source: "b", ...held({ ...wish, scheduler: b.overview.scheduler }, b) } : null };
}

// What to look at once more is known: what was not chosen is as in `now`.
export function adopted(state: ViewState, before: ViewState, now: ViewState): Partial<ViewState> {
    const isUntouched = state.cpus === before.cpus && state.scheduler === before.scheduler;
    const isSameBelow = JSON.stringify(state.compare) === JSON.stringify(before.compare);
    return { ...(isUntouched ? { cpus: now.cpus, scheduler: now.scheduler } : {}), ...(isSameBelow ? { compare: now.compare } : {}) };
}

export function viewOf(hash: string, initial: ViewState, benches: Benches): ViewState {
    const state = fromHash(hash, initial);
    return { ...state, ...held(state, benches.a), compare: heldComparison(state.compare, benches) };
}

function heldComparison(compare: Comparison | null, benches: Benches): Comparison | null {
    const bench = compare && benches[compare.source];
    if (bench && compare.scenario) {
        return { ...compare, ...held(compare, bench) };
    }
    if (bench && isRecorded(compare) && offersRecorded(bench.overview)) {
        return { source: compare.source, cpus: 1, scheduler: recorded };
    }
    return bench ? { source: compare.source, ...held(compare, bench) } : null;
}

// The nearest to the wish that can be shown.
function held(wish: Request, { overview, offered }: Bench): { cpus: number; scheduler: string } {
    const { messages } = overview;
    const isKnown = overview.schedulers.includes(wish.scheduler) || (messages && numbersOf(messages, wish.scheduler) !== null);
    const scheduler = isKnown ? wish.scheduler : overview.scheduler;
    if (messages) {
        return { cpus: overview.cpus[0]!, scheduler };
    }
    const most = offered ? overview.max_cpus : Math.max(overview.max_cpus, mostCpus);
    const cpus = Math.max(1, Math.min(most, wish.cpus));
    const near = (each: Request) => Math.abs(each.cpus - cpus) + (each.scheduler === scheduler ? 0 : 1e9);
    const [best] = [...(offered ?? [])].sort((x, y) => near(x) - near(y));
    return best ? { cpus: best.cpus, scheduler: best.scheduler } : { cpus, scheduler };
}
