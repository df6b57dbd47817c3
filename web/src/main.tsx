// Which page is this? Finds where the data are, and shows them.

import { render } from "preact";
import { fromHash, toHash } from "./address.ts";
import { App } from "./app.tsx";
import { EmbeddedElements } from "./embedded.ts";
import { shortText } from "./format.ts";
import { ReportSource } from "./report_source.ts";
import { ServerSource, type Source } from "./source.ts";
import { initialState, Store, type ViewState } from "./state.ts";
import { SchemeChoice } from "./theme/scheme.ts";
import { Workbench, type Bench } from "./workbench.ts";
import "./theme/theme.css";

export async function benchOf(source: Source): Promise<Bench> {
    const overview = await source.overview();
    return { source, overview, offered: await source.offered(overview) };
}

// What a link says is held to what there is.
export function firstState({ overview, offered }: Bench, hash: string): [initial: ViewState, state: ViewState] {
    const most = overview.max_cpus;
    const counts = overview.cpus.filter((cpus) => cpus <= most);
    const scales = overview.prediction.scaling.first_cpus_beyond ?? counts[counts.length - 1] ?? 1;
    const initial = initialState(Math.min(most, scales), overview.scheduler);
    const state = fromHash(hash, initial);
    const scheduler = overview.schedulers.includes(state.scheduler) ? state.scheduler : overview.scheduler;
    const cpus = Math.min(most, state.cpus);
    const isThere = !offered || offered.some((each) => each.cpus === cpus && each.scheduler === scheduler);
    return [initial, { ...state, scheduler, cpus: isThere ? cpus : initial.cpus }];
}

async function start(root: HTMLElement): Promise<void> {
    const schemes = new SchemeChoice();
    const data = new EmbeddedElements(document);
    const isReport = data.has("overview");
    const base = new URL(".", location.href).pathname;
    const a = await benchOf(isReport ? new ReportSource(data) : new ServerSource(base));
    const b = a.overview.capabilities.compare && !isReport ? await benchOf(new ServerSource(`${base}b/`)) : undefined;
    document.title = `${shortText(a.overview.title, 80)} – parcast`;
    const [initial, state] = firstState(a, location.hash);
    const compare = state.compare ?? (b && !location.hash.includes("compare=") ? { source: "b" as const, cpus: Math.min(state.cpus, b.overview.max_cpus), scheduler: b.overview.scheduler } : null);
    const store = new Store({ ...state, compare: compare?.source === "b" && !b ? null : compare });
    const workbench = new Workbench(b ? { a, b } : { a }, store);
    followAddress(store, initial);
    root.textContent = "";
    render(<App workbench={workbench} store={store} schemes={schemes} />, root);
}

const addressDelay = 150; // ms: browsers refuse to note every step of a drag

// The address says what is seen, and who goes to another address sees that.
function followAddress(store: Store, initial: ViewState): void {
    let timer: ReturnType<typeof setTimeout> | undefined;
    store.subscribe((state) => {
        clearTimeout(timer);
        timer = setTimeout(() => {
            const hash = toHash(state, initial);
            if (hash !== location.hash.slice(1)) {
                history.replaceState(null, "", hash === "" ? location.pathname + location.search : `#${hash}`);
            }
        }, addressDelay);
    });
    addEventListener("hashchange", () => store.set(fromHash(location.hash, initial)));
}

const root = document.getElementById("page")!;
start(root).catch((error: unknown) => {
    const alert = document.createElement("p");
    alert.className = "failure";
    alert.setAttribute("role", "alert");
    alert.textContent = error instanceof Error ? error.message : String(error);
    root.replaceChildren(alert);
});
