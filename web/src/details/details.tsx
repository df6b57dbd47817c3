// What is it that was clicked? A thread, an interval, an event, an object or a place in the source, with all that is
// known of it; without a selection, the run as a whole.

import { none, noCpu, namesThread, State, type Execution } from "../execution.ts";
import { models, operationNames, schedulers } from "../generated.ts";
import { countText, instantText, percentText, shortText, speedUpText, timeText, wholeText } from "../format.ts";
import { cpuNumber, objectLabel, siteLabel, stateLabel, threadLabel, type Overview } from "../overview.ts";
import type { Source } from "../source.ts";
import type { Selection, Store } from "../state.ts";
import { BindControl } from "../changes/bind_control.tsx";
import { Knob, ScenarioField } from "../changes/knob.tsx";
import { stateLabels, stateVariables } from "../theme/palette.ts";
import type { Weights } from "../weights.ts";
import { aboutWaited, mainSiteOf, siteSums } from "../waits.ts";
import { spanOf } from "./event_span.ts";
import { Fact, Facts, Link } from "./facts.tsx";
import { MessageDetails, MessagesOfInterval, MessagesRun, PairDetails, RankFacts } from "./message_details.tsx";
import { reasonOf } from "./reason.ts";
import { SourceView } from "./source_view.tsx";
import { objectOfEvent, stepped, type Along } from "./stepping.ts";
import { GraphRun, TaskDetails } from "./task_details.tsx";

export interface DetailsProps {
    readonly execution: Execution;
    readonly overview: Overview;
    readonly source: Source;
    readonly store: Store;
    readonly selection: Selection | null;
    readonly scheduler: string;
    readonly speedUp: number | null;
    readonly weights: Weights | null; // what decides the time
    readonly tryChange: ((scenario: string) => void) | null; // null: changes cannot be replayed
}

export function Details(props: DetailsProps) {
    const { selection, store } = props;
    return (
        <aside class="details" aria-label="Details">
            <div class="details-head">
                <h2>{titleOf(props)}</h2>
                {selection && (
                    <button type="button" class="quiet" aria-label="Close: nothing selected" title="Nothing selected (Esc)" onClick={() => store.set({ selection: null })}>
                        ✕
                    </button>
                )}
            </div>
            <div class="details-body" tabIndex={0} role="region" aria-label="Details of the selection">
                <Body {...props} />
            </div>
            {selection && !props.overview.graph && !props.overview.messages && !props.overview.measurement && <Steps {...props} />}
        </aside>
    );
}

function isThere({ execution, overview, selection }: DetailsProps): boolean {
    const counts = {
        thread: execution.threads,
        object: execution.objects,
        interval: execution.intervals,
        event: execution.events,
        site: overview.sites.length,
        message: execution.messages,
        pair: overview.messages ? (execution.threads / overview.messages.cpusOfRank) ** 2 : 0,
    };
    return selection !== null && selection.index < counts[selection.kind];
}

function titleOf(props: DetailsProps): string {
    const { selection } = props;
    if (!selection) {
        return "This run";
    }
    if (props.overview.graph) {
        return "Task";
    }
    if (props.overview.messages && (selection.kind === "thread" || selection.kind === "object")) {
        return selection.kind === "thread" ? "Rank" : "What ranks wait for";
    }
    return { thread: "Thread", object: "Object", interval: "Interval", event: "Event", site: "Place", message: "Message", pair: "Pair of ranks" }[selection.kind];
}

function Body(props: DetailsProps) {
    const { graph, messages, measurement } = props.overview;
    if (!props.selection) {
        return measurement ? <MeasuredRun {...props} /> : messages ? <MessagesRun {...props} messages={messages} /> : graph ? <GraphRun {...props} graph={graph} /> : <Run {...props} />;
    }
    if (!isThere(props)) {
        return <p class="empty">It does not occur in this execution: choose another one.</p>;
    }
    const { index } = props.selection;
    if (graph) {
        return <TaskDetails {...props} graph={graph} selection={props.selection} />;
    }
    switch (props.selection.kind) {
        case "thread":
            return <Thread {...props} index={index} />;
        case "object":
            return <SyncObject {...props} index={index} />;
        case "interval":
            return <Interval {...props} index={index} />;
        case "event":
            return <Event {...props} index={index} />;
        case "site":
            return <Place {...props} index={index} />;
        case "message":
            return messages && <MessageDetails {...props} messages={messages} index={index} />;
        case "pair":
            return messages && <PairDetails {...props} messages={messages} index={index} />;
    }
}

type Indexed = DetailsProps & { readonly index: number };

function ThreadLink({ store, overview, id }: { readonly store: Store; readonly overview: Overview; readonly id: number }) {
    return <Link store={store} to={{ kind: "thread", index: id }} text={threadLabel(overview, id)} />;
}

function Run({ execution, overview, speedUp, tryChange }: DetailsProps) {
    const { totals } = execution;
    const { prediction } = overview;
    return (
        <>
            <Facts>
                {totals.deadlocked ? (
                    <Fact name="Deadlock after">{timeText(totals.deadlockTime)}</Fact>
                ) : (
                    <Fact name={totals.predicted ? "Predicted time" : "Recorded time"}>{timeText(totals.completion)}</Fact>
                )}
                <Fact name="CPUs">{countText(totals.cpus)}</Fact>
                {totals.predicted && <Fact name="Scheduler">{schedulers[totals.scheduler]}</Fact>}
                {speedUp !== null && <Fact name="Speed-up">{speedUpText(speedUp)}</Fact>}
                {speedUp !== null && <Fact name="Efficiency">{percentText(speedUp / totals.cpus)}</Fact>}
                <Fact name="Work">{timeText(prediction.work_ns)}</Fact>
                {overview.complete && (
                    <Fact name="Span" about="The longest chain of work and waiting: the time with a CPU for every thread, without costs. The lanes show the critical path for this number of CPUs.">
                        {timeText(prediction.span_ns)}
                    </Fact>
                )}
                <Fact name="Threads">{countText(execution.threads)}</Fact>
                <Fact name="Operations">{countText(totals.operations)}</Fact>
                <Fact name="Switches">{countText(totals.contextSwitches)}</Fact>
                <Fact name="Migrations">{countText(totals.migrations)}</Fact>
                <Fact name="Replayed">by the {models[totals.pairing].replace("_", "-")} model</Fact>
                <Fact name="Machine">{shortText(prediction.machine.name, 60)}</Fact>
                <Fact name={prediction.input.form === "threads" ? "Program" : "Recording"}>
                    <span title={wholeText(prediction.input.file)}>{shortText(prediction.input.file, 60)}</span>
                </Fact>
            </Facts>
            {totals.intervalsLeftOut && <p class="aside">It has too many intervals for this page; they were left out.</p>}
            {totals.eventsLeftOut && <p class="aside">It has too many events for this page: intervals are shown, single events are not.</p>}
            {tryChange && (
                <div class="knob">
                    <span>What if:</span>
                    <ScenarioField label="A change to try" scenario="" tryChange={tryChange} />
                </div>
            )}
            <p class="aside">Select a thread, an interval, an object or a place to see more about it.</p>
        </>
    );
}

function MeasuredRun({ execution, overview }: DetailsProps) {
    const { totals } = execution;
    const { file } = overview.prediction.input;
    return (
        <>
            <Facts>
                <Fact name="Measured time">{timeText(totals.completion)}</Fact>
                <Fact name="CPUs">{countText(totals.cpus)}</Fact>
                <Fact name="Threads">{countText(execution.threads)}</Fact>
                <Fact name="Switches">{countText(totals.contextSwitches)}</Fact>
                <Fact name="Migrations">{countText(totals.migrations)}</Fact>
                <Fact name="Measurement">
                    <span title={wholeText(file)}>{shortText(file, 60)}</span>
                </Fact>
            </Facts>
            {totals.intervalsLeftOut && <p class="aside">It has too many intervals for this page; they were left out.</p>}
            <p class="aside">The kernel tells when a thread is on a CPU, ready or waiting. It tells neither what a thread waits for nor its own code from the system's work.</p>
        </>
    );
}

// Not where threads share the CPUs, or there is only one.
function isBindable({ execution, overview, scheduler }: DetailsProps): boolean {
    return execution.totals.cpus > 1 && !overview.messages && scheduler !== "ideal";
}

function Thread(props: Indexed) {
    const { execution, overview, store, index, source } = props;
    const entry = overview.threads[index];
    const life = execution.threadEnded[index]! - execution.threadCreated[index]!;
    return (
        <>
            <p class="name">{shortText(threadLabel(overview, index), 2000)}</p>
            <Facts>
                {!overview.messages && <Fact name="Function">{shortText(entry?.function || "unknown", 400)}</Fact>}
                <Fact name="Start">{instantText(execution.threadCreated[index]!)}</Fact>
                <Fact name="End">{instantText(execution.threadEnded[index]!)}</Fact>
                <Fact name="Total time">{timeText(life)}</Fact>
                <Fact name={overview.messages ? "Computing" : "Working time"}>
                    {timeText(execution.timeInState(index, State.running))} ({percentText(life > 0 ? execution.timeInState(index, State.running) / life : 0)})
                </Fact>
                {overview.messages && <RankFacts {...props} messages={overview.messages} />}
                {entry?.parent != null && (
                    <Fact name="Created by">
                        <ThreadLink store={store} overview={overview} id={entry.parent} />
                    </Fact>
                )}
                {entry?.created_at != null && (
                    <Fact name="Created at">
                        <Link store={store} to={{ kind: "site", index: entry.created_at }} text={siteLabel(overview, entry.created_at)} />
                    </Fact>
                )}
            </Facts>
            {props.tryChange && <Knob change={`thread:${index}`} about="the work of this thread" tryChange={props.tryChange} />}
            {props.tryChange && isBindable(props) && (
                <BindControl
                    thread={index}
                    cpus={execution.totals.cpus}
                    scenario={store.get().compare?.scenario ?? ""}
                    tryChange={props.tryChange}
                    drop={() => store.set({ compare: null })}
                />
            )}
            <StateShares execution={execution} overview={overview} thread={index} life={life} />
            {entry?.start_site != null && <SourceView source={source} overview={overview} execution={execution} store={store} site={entry.start_site} heading="Begins at" />}
        </>
    );
}

function StateShares({ execution, overview, thread, life }: { readonly execution: Execution; readonly overview: Overview; readonly thread: number; readonly life: number }) {
    return (
        <ul class="states">
            {stateLabels.map((_, state) => {
                const time = execution.timeInState(thread, state);
                return (
                    time > 0 && (
                        <li key={state}>
                            <span class={`swatch fill-${stateVariables[state]}`} aria-hidden="true" />
                            <span>{stateLabel(overview, state)}</span>
                            <span class="number">{timeText(time)}</span>
                            <span class="number">{percentText(life > 0 ? time / life : 0)}</span>
                        </li>
                    )
                );
            })}
        </ul>
    );
}

function SyncObject({ execution, overview, store, index, source, weights, tryChange }: Indexed) {
    const lock = weights?.owners.find((owner) => owner.kind === "lock" && owner.id === index);
    const entry = overview.objects[index];
    const main = mainSiteOf(execution, index);
    return (
        <>
            <p class="name">{shortText(objectLabel(overview, index), 2000)}</p>
            <Facts>
                {!overview.messages && <Fact name="Kind">{entry?.kind ?? "unknown"}</Fact>}
                {!overview.messages && <Fact name="Operations">{countText(execution.objectOperations[index]!)}</Fact>}
                {!overview.messages && (
                    <Fact name="Operations that waited" about={aboutWaited}>
                        {countText(execution.objectBlocked[index]!)}
                    </Fact>
                )}
                <Fact name="Waiting">{timeText(execution.objectWaiting[index]!)}</Fact>
                {execution.objectSpinning[index]! > 0 && <Fact name="Of it spinning">{timeText(execution.objectSpinning[index]!)}</Fact>}
                {!overview.messages && <Fact name="CPUs idle for it">{timeText(execution.objectIdle[index]!)}</Fact>}
            </Facts>
            {lock && tryChange && <Knob change={lock.change} about="the work under it" isLock tryChange={tryChange} />}
            {main && <SourceView source={source} overview={overview} execution={execution} store={store} site={main.site} heading={`Where ${percentText(main.share)} of the waiting begins`} />}
            {entry?.first_site != null && entry.first_site !== main?.site && (
                <SourceView source={source} overview={overview} execution={execution} store={store} site={entry.first_site} heading="First used at" />
            )}
        </>
    );
}

function Interval({ execution, overview, store, index, source }: Indexed) {
    const begin = execution.intervalBegin[index]!;
    const end = execution.intervalEnd(index);
    const state = execution.intervalState[index]!;
    const object = execution.intervalObject[index]!;
    const releaser = execution.intervalReleaser[index]!;
    const cpu = execution.intervalCpu[index]!;
    const site = execution.intervalSite[index]!;
    return (
        <>
            <p class="name">
                <span class={`swatch fill-${stateVariables[state]}`} aria-hidden="true" /> {stateLabel(overview, state)} for {timeText(end - begin)}
            </p>
            <p class="reason">{reasonOf(execution, overview, index)}</p>
            {site !== none && <SourceView source={source} overview={overview} execution={execution} store={store} site={site} heading={state === State.running ? "In" : "Waits at"} />}
            <Facts>
                <Fact name={overview.messages ? "Rank" : "Thread"}>
                    <ThreadLink store={store} overview={overview} id={execution.threadOfInterval(index)} />
                </Fact>
                {overview.messages && <MessagesOfInterval execution={execution} overview={overview} messages={overview.messages} store={store} index={index} />}
                {object !== none && (
                    <Fact name={overview.messages ? "Waits for" : "Object"}>
                        <Link store={store} to={{ kind: "object", index: object }} text={objectLabel(overview, object)} />
                    </Fact>
                )}
                {releaser !== none && (
                    <Fact name={overview.messages ? "Ended by" : "Released by"}>
                        <ThreadLink store={store} overview={overview} id={releaser} />
                    </Fact>
                )}
                {cpu !== noCpu && <Fact name="CPU">{cpuNumber(overview, cpu)}</Fact>}
                <Fact name="Start">{instantText(begin)}</Fact>
                <Fact name="End">{instantText(end)}</Fact>
                <Fact name="Duration">{timeText(end - begin)}</Fact>
            </Facts>
            <button type="button" class="small" onClick={() => store.zoomTo(around(begin, end, execution.totals.completion))}>
                Zoom to it
            </button>
        </>
    );
}

// The interval with as much beside it.
function around(begin: number, end: number, last: number): [number, number] {
    const beside = Math.max(1, (end - begin) / 2);
    return [Math.max(0, begin - beside), Math.min(last, end + beside)];
}

function Event({ execution, overview, store, index, source }: Indexed) {
    const kind = execution.eventKind[index]!;
    const object = objectOfEvent(execution, index);
    const other = namesThread(kind) ? execution.eventObject[index]! : none;
    const site = execution.eventSite[index]!;
    const thread = execution.threadOfEvent(index);
    const { cpu, begin, end, wait, isEndless } = spanOf(execution, index);
    const after = execution.intervalAt(thread, begin);
    const releaser = wait === none ? none : execution.intervalReleaser[wait]!;
    return (
        <>
            <p class="name">{(operationNames[kind] ?? "event").replaceAll("_", " ")}</p>
            <p class="reason">{wait === none ? "It does not wait." : reasonOf(execution, overview, wait)}</p>
            {site !== none && <SourceView source={source} overview={overview} execution={execution} store={store} site={site} heading="Called at" />}
            <Facts>
                <Fact name="Thread">
                    <ThreadLink store={store} overview={overview} id={thread} />
                </Fact>
                {cpu !== none && <Fact name="CPU">{cpu}</Fact>}
                <Fact name="Start">{instantText(begin)}</Fact>
                <Fact name="End">{isEndless ? "never: the replay deadlocks" : instantText(end)}</Fact>
                {!isEndless && <Fact name="Duration">{timeText(end - begin)}</Fact>}
                {object !== none && (
                    <Fact name="Object">
                        <Link store={store} to={{ kind: "object", index: object }} text={objectLabel(overview, object)} />
                    </Fact>
                )}
                {other < execution.threads && (
                    <Fact name="Of thread">
                        <ThreadLink store={store} overview={overview} id={other} />
                    </Fact>
                )}
                {releaser < execution.threads && (
                    <Fact name="Released by">
                        <ThreadLink store={store} overview={overview} id={releaser} />
                    </Fact>
                )}
                {after !== none && (
                    <Fact name="Then it is">
                        <Link store={store} to={{ kind: "interval", index: after }} text={`${stateLabels[execution.intervalState[after]!]} for ${timeText(execution.intervalEnd(after) - execution.intervalBegin[after]!)}`} />
                    </Fact>
                )}
            </Facts>
        </>
    );
}

function Place({ execution, overview, store, index, source, weights, tryChange }: Indexed) {
    const sums = siteSums(execution);
    const entry = overview.sites[index]!;
    const caller = weights?.owners.find((owner) => owner.kind === "function" && overview.sites[owner.site]?.function === entry.function);
    return (
        <>
            <p class="name">{shortText(siteLabel(overview, index), 2000)}</p>
            <Facts>
                {entry.function && <Fact name="Function">{shortText(entry.function, 400)}</Fact>}
                {entry.file && (
                    <Fact name="File">
                        {shortText(entry.file, 400)}
                        {entry.line > 0 ? `:${entry.line}` : ""}
                    </Fact>
                )}
                <Fact name="Operations">{countText(sums.operations[index] ?? 0)}</Fact>
                <Fact name="Waiting">{timeText(sums.waiting[index] ?? 0)}</Fact>
                {(sums.processor[index] ?? 0) > 0 && <Fact name="On a CPU">{timeText(sums.processor[index]!)}</Fact>}
            </Facts>
            {caller && tryChange && <Knob change={caller.change} about={`the work of ${shortText(entry.function, 40)}`} tryChange={tryChange} />}
            {entry.file && entry.line > 0 && tryChange && <Knob change={`place:${entry.file}:${entry.line}`} about="the work before this call" tryChange={tryChange} />}
            <SourceView source={source} overview={overview} execution={execution} store={store} site={index} heading="Source" />
        </>
    );
}

interface Way {
    readonly along: Along;
    readonly label: string;
    readonly spoken: string;
    readonly keys: readonly [back: string, on: string];
}

const ways: readonly Way[] = [
    { along: "thread", label: "thread", spoken: "event of this thread", keys: ["[", "]"] },
    { along: "object", label: "object", spoken: "event on this object", keys: ["{", "}"] },
    { along: "kind", label: "kind", spoken: "event of this kind", keys: [",", "."] },
    { along: "place", label: "place", spoken: "event at this place", keys: ["(", ")"] },
    { along: "arrow", label: "arrows", spoken: "along the arrows", keys: ["j", "k"] },
    { along: "path", label: "path", spoken: "along the critical path", keys: ["J", "K"] },
];

// Previous and next; the selection is where they start from.
function Steps({ execution, store, selection }: DetailsProps) {
    const go = (along: Along, by: 1 | -1) => {
        const to = stepped(execution, selection, along, by);
        if (to) {
            store.set({ selection: to });
        }
    };
    return (
        <div class="steps" role="group" aria-label="Previous and next">
            {ways.map(({ along, label, spoken, keys }) => (
                <div key={along} title={`Previous and next ${spoken}  (${keys[0]} ${keys[1]})`}>
                    <span>{label}</span>
                    <button type="button" class="small" disabled={!stepped(execution, selection, along, -1)} aria-label={`Previous ${spoken}`} onClick={() => go(along, -1)}>
                        ‹
                    </button>
                    <button type="button" class="small" disabled={!stepped(execution, selection, along, 1)} aria-label={`Next ${spoken}`} onClick={() => go(along, 1)}>
                        ›
                    </button>
                </div>
            ))}
        </div>
    );
}
