// Which page is this? Finds where the data are, and shows them.

import { render } from "preact";
import { belowFromHash, toHash } from "./address.ts";
import { App } from "./app.tsx";
import type { DifferenceAnswer } from "./difference/difference.ts";
import { EmbeddedElements, SecondElements } from "./embedded.ts";
import { shortText } from "./format.ts";
import { programTitle } from "./overview.ts";
import { RunsInProgress } from "./runs_in_progress.ts";
import { ReportSource } from "./report_source.ts";
import { ServerSource } from "./source.ts";
import { adopted, benchOf, firstState, viewOf, type Benches } from "./start.ts";
import { linkedStore, Store, type ViewState } from "./state.ts";
import type { SignatureAnswer } from "./signature/signature.ts";
import { SignaturePage } from "./signature/signature_page.tsx";
import { Evaluation } from "./models/evaluation.ts";
import type { ModelDocument } from "./models/model.ts";
import { ModelPage } from "./models/model_page.tsx";
import { SchemeChoice } from "./theme/scheme.ts";
import type { TuningAnswer } from "./tuning/tuning.ts";
import { TuningPage } from "./tuning/tuning_page.tsx";
import { WaitingLine } from "./waiting_line.ts";
import { Workbench, type Bench } from "./workbench.ts";
import "./theme/theme.css";

async function start(root: HTMLElement): Promise<void> {
    const schemes = new SchemeChoice();
    const data = new EmbeddedElements(document);
    if (data.has("tuning")) {
        const title = document.title.replace(/ – parcast$/, "");
        render(<TuningPage answer={await data.json<TuningAnswer>("tuning")} title={title} schemes={schemes} />, emptied(root));
        return;
    }
    if (data.has("signature")) {
        const title = document.title.replace(/ – parcast$/, "");
        render(<SignaturePage answer={await data.json<SignatureAnswer>("signature")} title={title} schemes={schemes} />, emptied(root));
        return;
    }
    if (data.has("model")) {
        const title = document.title.replace(/ – parcast$/, "");
        const model = await data.json<ModelDocument>("model");
        const module = data.has("model-module") ? await data.bytes("model-module") : null;
        render(<ModelPage model={model} evaluation={await Evaluation.begin(model, module)} title={title} schemes={schemes} />, emptied(root));
        return;
    }
    const isReport = data.has("overview");
    const base = new URL(".", location.href).pathname;
    const source = isReport ? new ReportSource(data) : new ServerSource(base);
    const waiting = new WaitingLine(root, source);
    const a = await benchOf(source);
    const b = await secondBench(data, a, base);
    const difference = data.has("difference") ? await data.json<DifferenceAnswer>("difference") : null;
    waiting.end();
    document.title = `${shortText(programTitle(a.overview), 80)} – parcast`;
    const benches = b ? { a, b } : { a };
    const initial = { state: firstState(benches) };
    if (location.hash === "" && data.has("view")) {
        history.replaceState(null, "", `#${await data.text("view")}`); // what was seen when the report was saved
    }
    const store = new Store(viewOf(location.hash, initial.state, benches));
    const lowerStore = linkedStore(store, belowFromHash(location.hash));
    const workbench = new Workbench(benches, store);
    followRuns(workbench, store, initial);
    followAddress(store, lowerStore, initial, workbench);
    render(<App workbench={workbench} store={store} lowerStore={lowerStore} schemes={schemes} difference={difference} />, emptied(root));
}

// The execution that is compared: of a server's second program, or of the second side of `parcast compare -o`.
async function secondBench(data: EmbeddedElements, a: Bench, base: string): Promise<Bench | undefined> {
    if (data.has("overview")) {
        return SecondElements.areIn(data) ? benchOf(new ReportSource(new SecondElements(data))) : undefined;
    }
    return a.overview.capabilities.compare ? benchOf(new ServerSource(`${base}b/`)) : undefined;
}

function emptied(root: HTMLElement): HTMLElement {
    root.textContent = "";
    return root;
}

// Completes what was opened while its runs were being made.
function followRuns(workbench: Workbench, store: Store, initial: { state: ViewState }): void {
    for (const side of ["a", "b"] as const) {
        const bench = workbench.benches[side];
        if (!bench || bench.overview.complete || !bench.source.progress) {
            continue;
        }
        const runs: RunsInProgress = new RunsInProgress(bench.source, {
            shows: (progress) => workbench.showProgress(side, { progress, command: (command) => runs.command(command) }),
            completed: async () => {
                const complete = await benchOf(bench.source);
                const before = initial.state;
                initial.state = firstState({ ...workbench.benches, [side]: complete } as Benches);
                workbench.complete(side, complete, adopted(store.get(), before, initial.state));
            },
        });
    }
}

const addressDelay = 150; // ms: browsers refuse to note every step of a drag

// The address says what is seen, and who goes to another address sees that.
function followAddress(store: Store, lowerStore: Store, initial: { readonly state: ViewState }, workbench: Workbench): void {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let seen = location.hash;
    const note = () => {
        if (location.hash !== seen) {
            return; // somebody just went there, and `hashchange` is on its way
        }
        const hash = toHash(store.get(), initial.state, lowerStore.get());
        if (hash !== location.hash.slice(1)) {
            history.replaceState(null, "", hash === "" ? location.pathname + location.search : `#${hash}`);
            seen = location.hash;
        }
    };
    const changed = () => {
        clearTimeout(timer);
        timer = setTimeout(note, addressDelay);
    };
    store.subscribe(changed);
    lowerStore.subscribe(changed);
    addEventListener("hashchange", () => {
        const { hash } = location;
        seen = hash;
        const view = viewOf(hash, initial.state, workbench.benches as Benches);
        lowerStore.set(belowFromHash(hash));
        store.set(view);
        store.set({ about: view.about }); // not of what was selected last
    });
}

const root = document.getElementById("page")!;
start(root).catch((error: unknown) => {
    const alert = document.createElement("p");
    alert.className = "failure";
    alert.setAttribute("role", "alert");
    alert.textContent = error instanceof Error ? error.message : String(error);
    root.replaceChildren(alert);
});
