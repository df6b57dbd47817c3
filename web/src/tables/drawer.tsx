// The same in rows: threads, objects, functions, intervals, events, CPUs, parallelism, the critical path, and the totals of
// the marked interval.

import { useRef, useState } from "preact/hooks";
import { ChangeTab } from "../changes/change_tab.tsx";
import type { Execution } from "../execution.ts";
import { FlameTab } from "../flame/flame_tab.tsx";
import { countText } from "../format.ts";
import type { CalmState } from "../hooks.ts";
import type { Overview } from "../overview.ts";
import { panels, type Panel, type Store } from "../state.ts";
import type { Workbench } from "../workbench.ts";
import type { Shown } from "../wished_execution.ts";
import { Cpus } from "./cpus_table.tsx";
import { Events } from "./events_table.tsx";
import { Functions } from "./functions_table.tsx";
import { Grip } from "./grip.tsx";
import { Intervals } from "./intervals_table.tsx";
import { Marked } from "./marked_table.tsx";
import { Messages } from "./messages_table.tsx";
import { Objects } from "./objects_table.tsx";
import { Parallelism } from "./parallelism_table.tsx";
import { PathPieces } from "./path_pieces_table.tsx";
import { PathTable } from "./path_table.tsx";
import { Signature } from "./signature_table.tsx";
import { Threads } from "./threads_table.tsx";

interface Props {
    readonly workbench: Workbench;
    readonly shown: Shown;
    readonly choose: (cpus: number) => void; // another count for this execution
    readonly execution: Execution;
    readonly overview: Overview;
    readonly store: Store;
    readonly state: CalmState;
    readonly open: boolean;
    readonly which: string; // of two that are compared
}

const panelNames: Readonly<Record<Panel, string>> = {
    threads: "Threads",
    objects: "Objects",
    functions: "Functions",
    intervals: "Intervals",
    events: "Events",
    cpus: "CPUs",
    parallelism: "Parallelism",
    signature: "Signature",
    change: "What to change",
    flame: "Flame graph",
    path: "Critical path",
    pieces: "Path by piece",
    marked: "Marked interval",
    messages: "Messages",
};

// Tasks use no objects, and have no events of their own; what is worth a change in them stands on the critical path.
const graphPanels: readonly Panel[] = panels.filter((panel) => panel !== "objects" && panel !== "events" && panel !== "signature" && panel !== "change" && panel !== "flame" && panel !== "messages");
const threadPanels: readonly Panel[] = panels.filter((panel) => panel !== "path" && panel !== "messages");
const measuredPanels: readonly Panel[] = ["threads", "intervals", "cpus", "parallelism", "marked"]; // all that the kernel tells
const messagePanels: readonly Panel[] = ["threads", "messages", "objects", "intervals", "parallelism", "pieces", "marked"];
const messagePanelNames: Readonly<Record<Panel, string>> = { ...panelNames, threads: "Ranks", objects: "What ranks wait for" };
const graphPanelNames: Readonly<Record<Panel, string>> = { ...panelNames, threads: "Tasks", functions: "Groups" };

export function Drawer(props: Props) {
    const { execution, state, store, open, which, overview } = props;
    const { graph, messages, measurement } = overview;
    const names = graph ? graphPanelNames : messages ? messagePanelNames : panelNames;
    const { signature } = overview.capabilities;
    const offered = graph ? graphPanels : messages ? messagePanels : measurement ? measuredPanels : threadPanels.filter((each) => each !== "signature" || signature);
    const panel = offered.find((each) => each === state.panel) ?? "threads";
    const tabs = useRef<HTMLDivElement>(null);
    const [height, setHeight] = useState<number | null>(null);
    const count: Partial<Record<Panel, number>> = messages
        ? { threads: execution.threads, messages: execution.messages }
        : measurement
          ? { threads: execution.threads }
          : { threads: execution.threads, objects: execution.objects };
    // A click on the open tab closes the tables; a key that chooses it leaves them open.
    const choose = (next: Panel, isKey: boolean) => store.set({ panel: open && next === panel && !isKey ? "closed" : next });
    const walk = (event: KeyboardEvent) => {
        const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
        if (by !== 0) {
            event.preventDefault();
            event.stopPropagation();
            const next = offered[(offered.indexOf(panel) + by + offered.length) % offered.length]!;
            store.set({ panel: next });
            tabs.current?.querySelector<HTMLElement>(`[data-panel="${next}"]`)?.focus();
        }
    };
    return (
        <section class={open ? "drawer open" : "drawer"} aria-label="Tables" style={open && height !== null ? { height: `${height}px` } : {}}>
            {open && <Grip height={height} setHeight={setHeight} />}
            <div class="tabs">
                <div role="tablist" aria-label="Tables" ref={tabs} onKeyDown={walk}>
                    {offered.map((each) => (
                        <button
                            key={each}
                            type="button"
                            role="tab"
                            data-panel={each}
                            aria-selected={open && each === panel}
                            tabIndex={each === panel ? 0 : -1}
                            onClick={(event) => choose(each, event.detail === 0)}
                        >
                            {names[each]}
                            {count[each] !== undefined && <span class="tab-count">{countText(count[each])}</span>}
                        </button>
                    ))}
                </div>
                <span class="tabs-note">{which}</span>
                <button type="button" class="quiet" aria-expanded={open} onClick={() => store.set({ panel: open ? "closed" : panel })}>
                    {open ? "Hide tables" : "Show tables"}
                </button>
            </div>
            {open && (
                <div class="panel" role="tabpanel" aria-label={names[panel]} key={panel}>
                    <PanelBody {...props} panel={panel} />
                </div>
            )}
        </section>
    );
}

function PanelBody(props: Props & { readonly panel: Panel }) {
    switch (props.panel) {
        case "threads":
            return <Threads {...props} />;
        case "objects":
            return <Objects {...props} />;
        case "functions":
            return <Functions {...props} />;
        case "intervals":
            return <Intervals {...props} />;
        case "events":
            return <Events {...props} />;
        case "cpus":
            return <Cpus {...props} />;
        case "parallelism":
            return <Parallelism {...props} />;
        case "signature":
            return <Signature {...props} />;
        case "change":
            return <ChangeTab {...props} />;
        case "flame":
            return <FlameTab {...props} />;
        case "path":
            return <PathTable {...props} />;
        case "pieces":
            return <PathPieces {...props} />;
        case "marked":
            return <Marked {...props} />;
        case "messages":
            return <Messages {...props} />;
    }
}
