// Which functions, called by whom, did the work within the marked or visible range? A flame graph that hangs from the top.

import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { tones } from "../changes/weight_chart.tsx";
import { Choice } from "../chrome/choice.tsx";
import { none, type Execution } from "../execution.ts";
import { counted, instantText, percentText, shortText, timeText, wholeText } from "../format.ts";
import { useSettled, useSize, type CalmState } from "../hooks.ts";
import type { Overview } from "../overview.ts";
import { isRecorded } from "../recorded.ts";
import type { Source } from "../source.ts";
import type { Range, Store, Weighing } from "../state.ts";
import type { Workbench } from "../workbench.ts";
import type { Shown } from "../wished_execution.ts";
import { busiest, flameGraph, frameBeside, functionAt, placed, type FlameGraph, type Placed } from "./flame_graph.ts";
import type { WorkStacks } from "./work_stacks.ts";

interface Props {
    readonly workbench: Workbench;
    readonly shown: Shown;
    readonly execution: Execution;
    readonly overview: Overview;
    readonly store: Store;
    readonly state: CalmState;
}

export function FlameTab(props: Props) {
    const { workbench, shown, execution, state, store } = props;
    const stacks = useStacks(workbench.bench(shown.side).source);
    const why = whyNone(shown, execution) ?? (typeof stacks === "string" ? stacks : stacks?.isKnown === false ? howToRecord : null);
    return (
        <div class="flame-tab" tabIndex={0} role="region" aria-label="Flame graph">
            {why ? (
                <p class="aside">{why}</p>
            ) : (
                <>
                    <Choice label="Length is" options={weighings} names={weighingNames} value={state.flame} choose={(flame) => store.set({ flame: flame as Weighing })} />
                    {stacks ? <Flames {...props} stacks={stacks as WorkStacks} /> : <p class="aside">Reading the functions …</p>}
                </>
            )}
        </div>
    );
}

const weighings: readonly Weighing[] = ["time", "decides"];
const weighingNames: Readonly<Record<Weighing, string>> = { time: "CPU time", decides: "time it decides" };
const howToRecord = "Functions were not recorded: record with parcast record --sample 1ms, or build the program with -finstrument-functions.";

function whyNone(shown: Shown, execution: Execution): string | null {
    if (isRecorded(shown)) {
        return "This is what was recorded: select the upper timeline for the functions of the prediction.";
    }
    if (shown.scenario) {
        return "Functions are shown of the program as it is: select something in the timeline above.";
    }
    const { eventsLeftOut, intervalsLeftOut } = execution.totals;
    return eventsLeftOut || intervalsLeftOut ? "This execution is too large for a flame graph: parcast info FILE has a table of functions." : null;
}

// null: not read yet; a sentence: why there are none.
function useStacks(source: Source): WorkStacks | string | null {
    const [stacks, setStacks] = useState<WorkStacks | string | null>(null);
    useEffect(() => {
        let isWanted = true;
        const show = (found: WorkStacks | string) => isWanted && setStacks(found);
        setStacks(null);
        source.functions().then(show, (error: unknown) => show(error instanceof Error ? error.message : String(error)));
        return () => void (isWanted = false);
    }, [source]);
    return stacks;
}

function Flames(props: Props & { readonly stacks: WorkStacks }) {
    const { workbench, shown, execution, overview, store, state, stacks } = props;
    const mark = useSettled(store, "mark");
    const range = useSettled(store, "range");
    const within: Range = mark ?? range ?? [0, execution.totals.completion];
    const weights = state.flame === "decides" ? workbench.operationWeightsOf(shown) : null;
    const isWeighed = state.flame === "time" || weights !== null;
    const graph = useMemo(
        () => (isWeighed ? flameGraph(execution, overview, stacks, within, weights) : null),
        [execution, overview, stacks, within[0], within[1], weights, isWeighed],
    );
    if (!graph) {
        return <p class="aside">{workbench.advises(shown.side) ? "Computing what decides the time …" : "What decides the time is not told of this execution."}</p>;
    }
    const where = `${mark ? "the marked interval" : "the visible range"}, ${instantText(within[0])} to ${instantText(within[1])}, on ${counted(execution.totals.cpus, "CPU")}`;
    return (
        <>
            <p class="panel-note">
                {weights ? `${timeText(graph.time)} that work decides` : `${timeText(graph.time)} of CPU time`} in {where}.{" "}
                {weights && "A tenth less of a function saves a tenth of its length. "}
                {graph.below < -0.005 * graph.time && `Work with a negative weight is not drawn (−${timeText(-graph.below)}): less of it makes the program slower. `}
                What each function took is known of each piece of work between two operations of a thread, and is spread evenly over it.
            </p>
            <Drawing graph={graph} {...props} />
        </>
    );
}

const rowHeight = 20;
const leastWidth = 1.5;
const leastForName = 26;

function Drawing({ graph, overview, store, state }: Props & { readonly graph: FlameGraph }) {
    const [attach, { width }] = useSize<HTMLDivElement>();
    const [focused, setFocused] = useState("");
    const container = useRef<HTMLDivElement | null>(null);
    const attachBoth = useCallback((element: HTMLDivElement | null) => attach((container.current = element)), []);
    const all = useMemo(() => placed(graph, width, leastWidth), [graph, width]);
    const toneOf = useMemo(() => new Map(busiest(graph, tones).map((name, i) => [name, i])), [graph]);
    const current = all.find(({ key }) => key === focused) ?? all[0];
    const selected = state.selection?.kind === "site" ? functionAt(overview, state.selection.index) : null;
    const walk = (event: KeyboardEvent, from: Placed) => {
        const next = frameBeside(all, from, event.key);
        if (next) {
            event.preventDefault();
            event.stopPropagation();
            setFocused(next.key);
            container.current?.querySelectorAll<HTMLElement>(".flame")[all.indexOf(next)]?.focus();
        }
    };
    if (graph.time <= 0) {
        return <p class="empty">No work lies there.</p>;
    }
    return (
        <div class="flames" role="tree" aria-label="Functions by caller" ref={attachBoth} style={{ height: `${(Math.max(-1, ...all.map(({ depth }) => depth)) + 1) * rowHeight}px` }}>
            {all.map((each) => {
                const { frame, key, depth, left, width: length } = each;
                const tone = toneOf.get(frame.name);
                const share = percentText(frame.time / graph.time);
                return (
                    <button
                        key={key}
                        type="button"
                        role="treeitem"
                        aria-level={depth + 1}
                        aria-selected={frame.name === selected}
                        aria-label={`${shortText(frame.name, 200)}: ${timeText(frame.time)}, ${share}; itself ${timeText(frame.own)}`}
                        title={`${wholeText(frame.name)}\n${timeText(frame.time)} with all that it calls, ${share}\n${timeText(frame.own)} itself`}
                        tabIndex={each === current ? 0 : -1}
                        class={`flame${tone === undefined ? "" : ` tone-${tone}`}`}
                        style={{ left: `${left}px`, width: `${length}px`, top: `${depth * rowHeight}px` }}
                        onFocus={() => setFocused(key)}
                        onKeyDown={(event) => walk(event, each)}
                        onClick={() => frame.site !== none && store.set({ selection: { kind: "site", index: frame.site } })}
                    >
                        {length >= leastForName ? shortText(frame.name, 100) : ""}
                    </button>
                );
            })}
        </div>
    );
}
