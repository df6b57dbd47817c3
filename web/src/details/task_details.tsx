// What is known of a task that was clicked, and of the execution of a task graph as a whole.

import { none, noCpu, State, type Execution } from "../execution.ts";
import { countText, instantText, percentText, shortText, speedUpText, threeDigits, timeText, wholeText } from "../format.ts";
import { threadLabel, type Overview, type TaskGraphOverview } from "../overview.ts";
import type { Selection, Store } from "../state.ts";
import type { TaskGroups } from "../task_groups.ts";
import { Fact, Facts, Link } from "./facts.tsx";

interface Props {
    readonly execution: Execution;
    readonly overview: Overview;
    readonly graph: TaskGraphOverview;
    readonly store: Store;
}

export function GraphRun({ execution, overview, graph, scheduler, speedUp }: Props & { readonly scheduler: string; readonly speedUp: number | null }) {
    const { totals } = execution;
    const { prediction } = overview;
    return (
        <>
            <Facts>
                <Fact name="Predicted time">{timeText(totals.completion)}</Fact>
                <Fact name="CPUs">{countText(totals.cpus)}</Fact>
                <Fact name="Schedule">{scheduler}</Fact>
                {speedUp !== null && <Fact name="Speed-up">{speedUpText(speedUp)}</Fact>}
                {speedUp !== null && <Fact name="Efficiency">{percentText(speedUp / totals.cpus)}</Fact>}
                <Fact name="Work">{timeText(prediction.work_ns)}</Fact>
                <Fact name="Span">{timeText(prediction.span_ns)}</Fact>
                <Fact name="Tasks">{countText(prediction.recorded?.threads ?? 0)}</Fact>
                <Fact name="Groups">{countText(graph.groups.count)}</Fact>
                <Fact name="At once">
                    {threeDigits(graph.averageParallelism)} on average, at most {countText(graph.mostParallelism)}
                </Fact>
                {graph.contention && <Fact name="Contention">{shortText(graph.contention, 60)}</Fact>}
                <Fact name="File">
                    <span title={wholeText(prediction.input.file)}>{shortText(prediction.input.file, 60)}</span>
                </Fact>
            </Facts>
            {totals.intervalsLeftOut && <p class="aside">This report has no room for so many tasks: it holds the totals only. See them with: parcast view {shortText(prediction.input.file, 60)}</p>}
            <p class="aside">Select a task to see its predecessors and successors.</p>
        </>
    );
}

export function TaskDetails({ execution, overview, graph, store, selection }: Props & { readonly selection: Selection }) {
    const task = selection.kind === "interval" ? execution.threadOfInterval(selection.index) : selection.index;
    const { groups } = graph;
    const group = groups.groupOf(task);
    const last = execution.laneFirst[task + 1]! - 1;
    const runs = last >= execution.laneFirst[task]!;
    const cpu = runs ? execution.intervalCpu[last]! : noCpu;
    const ready = execution.timeInState(task, State.ready);
    const overhead = execution.timeInState(task, State.switching);
    return (
        <>
            <p class="name">{shortText(threadLabel(overview, task), 2000)}</p>
            <Facts>
                <Fact name="Group">
                    {shortText(groups.nameOf(group), 80)}
                    {groups.sizeOf(group) > 1 && `, ${countText(groups.sizeOf(group))} tasks`}
                </Fact>
                {cpu !== noCpu && <Fact name="CPU">{cpu}</Fact>}
                <Fact name="Ready at">{instantText(execution.threadCreated[task]!)}</Fact>
                {runs && <Fact name="Begins">{instantText(execution.intervalBegin[last]!)}</Fact>}
                <Fact name="Ends">{instantText(execution.threadEnded[task]!)}</Fact>
                {runs ? <Fact name="Runs">{timeText(execution.threadEnded[task]! - execution.intervalBegin[last]!)}</Fact> : <Fact name="Runs">no time</Fact>}
                {ready > 0 && <Fact name="Ready for">{timeText(ready)}</Fact>}
                {overhead > 0 && <Fact name="Overhead">{timeText(overhead)}, to take it from the queue</Fact>}
                <Neighbours name="Waits for" execution={execution} overview={overview} store={store} groups={groups} of={groups.predecessorsOf(group)} end="last" />
                <Neighbours name="Before" execution={execution} overview={overview} store={store} groups={groups} of={groups.successorsOf(group)} end="first" />
            </Facts>
            {runs && (
                <button type="button" class="small" onClick={() => store.zoomTo(around(execution, task, last))}>
                    Zoom to it
                </button>
            )}
        </>
    );
}

const groupsShown = 8;

interface NeighboursProps {
    readonly name: string;
    readonly execution: Execution;
    readonly overview: Overview;
    readonly store: Store;
    readonly groups: TaskGroups;
    readonly of: Uint32Array;
    readonly end: "first" | "last";
}

// For each group the task that matters: the last one to end of those that are waited for, the first one to end of others.
function Neighbours({ name, execution, overview, store, groups, of, end }: NeighboursProps) {
    if (of.length === 0) {
        return null;
    }
    return (
        <Fact name={name}>
            {[...of.subarray(0, groupsShown)].map((group) => {
                const task = extreme(execution, groups, group, end);
                const others = groups.sizeOf(group) - 1;
                return (
                    <div key={group}>
                        <Link store={store} to={{ kind: "thread", index: task }} text={threadLabel(overview, task)} />
                        {others > 0 && ` and ${countText(others)} more of ${shortText(groups.nameOf(group), 40)}`}
                    </div>
                );
            })}
            {of.length > groupsShown && <div>and {countText(of.length - groupsShown)} more groups</div>}
        </Fact>
    );
}

function extreme(execution: Execution, groups: TaskGroups, group: number, end: "first" | "last"): number {
    let best = none;
    for (let task = groups.firstOf(group); task < groups.endOf(group); ++task) {
        const time = execution.threadEnded[task]!;
        if (best === none || (end === "last" ? time > execution.threadEnded[best]! : time < execution.threadEnded[best]!)) {
            best = task;
        }
    }
    return best;
}

// The task with as much beside it.
function around(execution: Execution, task: number, last: number): [number, number] {
    const begin = execution.intervalBegin[last]!;
    const end = execution.threadEnded[task]!;
    const beside = Math.max(1, (end - begin) / 2);
    return [Math.max(0, begin - beside), Math.min(execution.totals.completion, end + beside)];
}
