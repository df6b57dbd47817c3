// What is on top: which program, on how many CPUs, what to compare it with, and what can be done with the view.

import type { RefObject } from "preact";
import { useState } from "preact/hooks";
import { ScenarioField } from "../changes/knob.tsx";
import { bindingsIn, planFile } from "../changes/bindings.ts";
import { scenarioFile } from "../changes/wording.ts";
import type { CalmState } from "../hooks.ts";
import { counted, shortText, wholeText } from "../format.ts";
import { programTitle } from "../overview.ts";
import { isRecorded, offersRecorded, recorded } from "../recorded.ts";
import type { Hit } from "../search.ts";
import type { Comparison, Side, Store } from "../state.ts";
import type { SchemeChoice } from "../theme/scheme.ts";
import type { Bench, Workbench } from "../workbench.ts";
import { Choice } from "./choice.tsx";
import { Controls, stepsOf } from "./controls.tsx";
import { download } from "./export.ts";
import { exportsOf, type Handles } from "./exports.ts";
import { Menu } from "./menu.tsx";
import { SearchBox } from "./search_box.tsx";

interface Props {
    readonly workbench: Workbench;
    readonly store: Store;
    readonly state: CalmState;
    readonly schemes: SchemeChoice;
    readonly hits: readonly Hit[];
    readonly stepHits: (by: 1 | -1) => void;
    readonly searchField: RefObject<HTMLInputElement>;
    readonly handles: Handles;
    readonly showHelp: () => void;
}

export function Header(props: Props) {
    const { workbench, store, state, schemes, hits, stepHits, searchField, handles, showHelp } = props;
    const bench = workbench.bench("a");
    const { title } = bench.overview;
    const comparing = state.compare !== null;
    return (
        <header class="top">
            <h1 title={wholeText(title)}>{shortText(programTitle(bench.overview), 90)}</h1>
            <Controls
                label="CPUs"
                bench={bench}
                cpus={state.cpus}
                scheduler={state.scheduler}
                steps={stepsOf(bench, state.scheduler)}
                change={(change) => store.set(change)}
                tryChange={workbench.canChange("a") ? (scenario) => workbench.tryChange(scenario) : null}
            />
            <div class="tools">
                <button
                    type="button"
                    aria-pressed={comparing}
                    onClick={() => store.set({ compare: comparing ? null : firstComparison(workbench, state) })}
                >
                    Compare
                </button>
                <SearchBox store={store} state={state} hits={hits} step={stepHits} field={searchField} />
                <LinkButton />
                <Menu name="Export" entries={exportsOf(workbench, store, state.cpus, handles)} />
                <SchemeButton schemes={schemes} />
                <button type="button" class="icon" aria-label="Help: keys" title="Keys (?)" onClick={showHelp}>
                    ?
                </button>
            </div>
        </header>
    );
}

function LinkButton() {
    const [copied, setCopied] = useState(false);
    const copy = async () => {
        try {
            await navigator.clipboard.writeText(location.href);
            setCopied(true);
            setTimeout(() => setCopied(false), 1500);
        } catch {
            prompt("The address of this view:", location.href);
        }
    };
    return (
        <button type="button" onClick={() => void copy()} title="Copy a link to this view">
            {copied ? "Copied" : "Link"}
        </button>
    );
}

export function SchemeButton({ schemes }: { readonly schemes: SchemeChoice }) {
    const wish = schemes.wish === "system" ? "as the system" : schemes.wish;
    return (
        <button type="button" class="icon" aria-label={`Colours: ${wish}`} title={`Colours: ${wish}`} onClick={() => schemes.next()}>
            ◐
        </button>
    );
}

// With the other program if there is one, else with the next smaller count.
function firstComparison(workbench: Workbench, state: CalmState): Comparison {
    const { b } = workbench.benches;
    if (b?.overview.measurement) {
        return measuredBelow(b);
    }
    if (b) {
        return { source: "b", cpus: Math.min(state.cpus, stepsOf(b, b.overview.scheduler).most), scheduler: b.overview.scheduler };
    }
    const { messages } = workbench.bench("a").overview;
    if (messages) {
        const other = messages.networks.find(({ name }) => name !== state.scheduler);
        return { source: "a", cpus: state.cpus, scheduler: other?.name ?? state.scheduler };
    }
    const others = workbench.bench("a").overview.cpus.filter((cpus) => cpus < state.cpus);
    return { source: "a", cpus: others[others.length - 1] ?? 1, scheduler: state.scheduler };
}

// A measured run has one number of CPUs.
function measuredBelow({ overview }: Bench): Comparison {
    return { source: "b", cpus: overview.cpus[0]!, scheduler: overview.scheduler };
}

// The program of the other side. A scheduler of predictions is none of a measurement.
function otherBelow(source: Side, compare: Comparison, workbench: Workbench, store: Store): Comparison {
    const { b } = workbench.benches;
    if (!b?.overview.measurement) {
        return { ...compare, source };
    }
    const { cpus, scheduler } = store.get();
    return source === "b" ? measuredBelow(b) : { source, cpus, scheduler };
}

// What was recorded on one CPU, predicted there: the two differ by what a replay gets wrong.
function predictedBelow(compare: Comparison, workbench: Workbench, store: Store): Comparison {
    const bench = workbench.bench(compare.source);
    const { scheduler } = bench.overview;
    return isRecorded(compare) ? { ...compare, cpus: compare.source === "a" ? 1 : Math.min(store.get().cpus, stepsOf(bench, scheduler).most), scheduler } : compare;
}

interface ChangedProps {
    readonly workbench: Workbench;
    readonly scenario: string;
    readonly close: () => void;
}

// The change of the program that is shown below, to edit, to keep as a file and to end.
export function ChangedHeader({ workbench, scenario, close }: ChangedProps) {
    const { file } = workbench.bench("a").overview.prediction.input;
    return (
        <div class="top second changed-header" role="group" aria-label="Changed program below">
            <span class="below-label">below it, the program changed:</span>
            <span class="scenario-chip">
                <ScenarioField label="Change of the program" scenario={scenario} tryChange={(next) => workbench.tryChange(next)} />
                <button type="button" class="quiet" aria-label="Without this change" title="Without this change" onClick={close}>
                    ✕
                </button>
            </span>
            <button type="button" class="small" title="A file for parcast predict --what-if @scenario.txt" onClick={() => download("scenario.txt", new Blob([scenarioFile(scenario, file)], { type: "text/plain" }))}>
                Save change
            </button>
            {bindingsIn(scenario).length > 0 && (
                <button type="button" class="small" title="A file for parcast predict --plan and parcast run --plan" onClick={() => download("plan.toml", new Blob([planFile(scenario, file)], { type: "text/plain" }))}>
                    Save plan
                </button>
            )}
        </div>
    );
}

interface ComparedProps {
    readonly workbench: Workbench;
    readonly store: Store;
    readonly compare: Comparison;
}

export function ComparedHeader({ workbench, store, compare }: ComparedProps) {
    const { b } = workbench.benches;
    const bench = workbench.bench(compare.source);
    const { measurement } = bench.overview;
    return (
        <div class="top second" role="group" aria-label="Execution below">
            <span class="below-label">below it:</span>
            {b && (
                <Choice
                    label="Program below"
                    options={["a", "b"]}
                    names={b.overview.measurement ? { a: "predicted", b: "measured" } : { a: shortText(programTitle(workbench.bench("a").overview), 24), b: shortText(programTitle(b.overview), 24) }}
                    value={compare.source}
                    choose={(source) => store.set({ compare: otherBelow(source as Side, compare, workbench, store) })}
                />
            )}
            {offersRecorded(bench.overview) && (
                <Choice
                    label="Execution shown below"
                    options={["predicted", recorded]}
                    names={{ recorded: "recorded on one CPU" }}
                    value={isRecorded(compare) ? recorded : "predicted"}
                    choose={(what) => store.set({ compare: what === recorded ? { ...compare, cpus: 1, scheduler: recorded } : predictedBelow(compare, workbench, store) })}
                />
            )}
            {measurement && <span class="measured-on">on {counted(compare.cpus, "CPU")}, as it was measured</span>}
            {!isRecorded(compare) && !measurement && (
                <Controls
                    label="CPUs below"
                    bench={bench}
                    cpus={compare.cpus}
                    scheduler={compare.scheduler}
                    steps={stepsOf(bench, compare.scheduler)}
                    change={(change) => store.set({ compare: { ...compare, ...change } })}
                />
            )}
        </div>
    );
}
