// Which page is this? Finds where the data are, and shows them.

import { render } from "preact";
import { toHash } from "./address.ts";
import { App } from "./app.tsx";
import { EmbeddedElements } from "./embedded.ts";
import { shortText } from "./format.ts";
import { programTitle } from "./overview.ts";
import { ReportSource } from "./report_source.ts";
import { ServerSource } from "./source.ts";
import { benchOf, firstState, viewOf, type Benches } from "./start.ts";
import { Store, type ViewState } from "./state.ts";
import { SchemeChoice } from "./theme/scheme.ts";
import { Workbench } from "./workbench.ts";
import "./theme/theme.css";

async function start(root: HTMLElement): Promise<void> {
    const schemes = new SchemeChoice();
    const data = new EmbeddedElements(document);
    const isReport = data.has("overview");
    const base = new URL(".", location.href).pathname;
    const a = await benchOf(isReport ? new ReportSource(data) : new ServerSource(base));
    const b = a.overview.capabilities.compare && !isReport ? await benchOf(new ServerSource(`${base}b/`)) : undefined;
    document.title = `${shortText(programTitle(a.overview), 80)} – parcast`;
    const benches = b ? { a, b } : { a };
    const initial = firstState(benches);
    const store = new Store(viewOf(location.hash, initial, benches));
    const workbench = new Workbench(benches, store);
    followAddress(store, initial, benches);
    root.textContent = "";
    render(<App workbench={workbench} store={store} schemes={schemes} />, root);
}

const addressDelay = 150; // ms: browsers refuse to note every step of a drag

// The address says what is seen, and who goes to another address sees that.
function followAddress(store: Store, initial: ViewState, benches: Benches): void {
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
    addEventListener("hashchange", () => store.set(viewOf(location.hash, initial, benches)));
}

const root = document.getElementById("page")!;
start(root).catch((error: unknown) => {
    const alert = document.createElement("p");
    alert.className = "failure";
    alert.setAttribute("role", "alert");
    alert.textContent = error instanceof Error ? error.message : String(error);
    root.replaceChildren(alert);
});
