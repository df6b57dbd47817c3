// What to change first, and on how many CPUs? What decides the time over the counts; what less of it would bring, and
// what the critical path is spent on, on the count that is shown.

import { useMemo } from "preact/hooks";
import { none, type Execution } from "../execution.ts";
import { countText, counted, percentText, shortText, timeText, wholeText } from "../format.ts";
import type { Overview } from "../overview.ts";
import { isRecorded } from "../recorded.ts";
import type { Store } from "../state.ts";
import type { Owner, Weights } from "../weights.ts";
import { freeWakeUps, gone, half, mostLevers, type Workbench } from "../workbench.ts";
import type { Shown } from "../wished_execution.ts";
import { pathCauses } from "./path_causes.ts";
import { tones, WeightChart } from "./weight_chart.tsx";
import { freeWakeUpsText, gainText, goneText, halvedText, ownerName, timesText, worthIt } from "./wording.ts";

interface Props {
    readonly workbench: Workbench;
    readonly shown: Shown;
    readonly execution: Execution;
    readonly overview: Overview;
    readonly store: Store;
    readonly choose: (cpus: number) => void;
}

export function ChangeTab(props: Props) {
    const { workbench, shown, execution, overview } = props;
    const weights = workbench.weightsOf(shown.side);
    const why = whyNone(props, weights);
    return (
        <div class="change-tab" tabIndex={0} role="region" aria-label="What to change">
            {why ? <p class="aside">{why}</p> : <Advice {...props} weights={weights!} />}
            {!isRecorded(shown) && !execution.totals.deadlocked && <CausesTable execution={execution} overview={overview} store={props.store} />}
        </div>
    );
}

function whyNone({ workbench, shown, overview }: Props, weights: Weights | null): string | null {
    const { scaling } = overview.prediction;
    if (isRecorded(shown)) {
        return "This is what was recorded: select the upper timeline for what to change in the prediction.";
    }
    if (scaling.withheld) {
        return scaling.verdict[0] ?? "Nothing is concluded from this recording.";
    }
    if (!workbench.canChange(shown.side)) {
        return "This page cannot replay changes of the program: parcast advise FILE names what to change first.";
    }
    if (shown.side !== "a" || shown.scenario) {
        return "What to change is known for the program above, as it was recorded: select something in it.";
    }
    if (weights?.counts.length === 0) {
        return "Nothing is advised: the program deadlocks with a CPU for every thread.";
    }
    return weights ? null : "Computing what decides the time …";
}

const mostCurves = tones;

function Advice(props: Props & { readonly weights: Weights }) {
    const { workbench, shown, execution, overview, weights } = props;
    const { cpus } = execution.totals;
    const owners = useMemo(() => ownersOver(weights), [weights]);
    const nameOf = (owner: Owner) => ownerName(owner, overview);
    return (
        <>
            {workbench.adviceOf(shown.scheduler).map(({ text }) => (
                <p key={text} class="advice">
                    {text}
                </p>
            ))}
            <div class="change-over">
                <WeightChart weights={weights} owners={owners} cpus={cpus} nameOf={nameOf} />
                <ShareTable {...props} owners={owners} />
            </div>
            <Levers {...props} />
        </>
    );
}

// Functions and locks that decide most on any count, those that lead first.
function ownersOver(weights: Weights): Owner[] {
    const most = (owner: Owner) => Math.max(...weights.counts.map((count) => Math.abs(weights.share(owner, count) ?? 0)));
    const leading = weights.counts.flatMap((count) => weights.firstOn(count) ?? []);
    const others = weights.counts.flatMap((count) => weights.leaders(count, 3)).sort((a, b) => most(b) - most(a));
    return [...new Set([...leading, ...others])].slice(0, mostCurves);
}

function ShareTable({ execution, store, overview, choose, weights, owners }: Props & { readonly weights: Weights; readonly owners: readonly Owner[] }) {
    const now = execution.totals.cpus;
    return (
        <table class="plain">
            <caption>How much of the time each decides, by number of CPUs. Where that is 60 %, a tenth less of it saves 6 % of the time.</caption>
            <thead>
                <tr>
                    <th scope="col">What</th>
                    <th scope="col" class="number">
                        CPU time
                    </th>
                    {weights.counts.map((cpus) => (
                        <th key={cpus} scope="col" class={cpus === now ? "number now" : "number"}>
                            <button type="button" class="link" aria-pressed={cpus === now} title={`Show ${counted(cpus, "CPU")}`} onClick={() => choose(cpus)}>
                                {countText(cpus)}
                            </button>
                        </th>
                    ))}
                </tr>
            </thead>
            <tbody>
                {owners.map((owner, i) => (
                    <tr key={owner.index}>
                        <th scope="row" title={wholeText(owner.label)}>
                            <i class={`weight-key tone-${i % tones}${owner.kind === "lock" ? " of-lock" : ""}`} aria-hidden="true" />{" "}
                            <OwnerLink owner={owner} overview={overview} store={store} />
                        </th>
                        <td class="number">{timeText(owner.self)}</td>
                        {weights.counts.map((cpus) => {
                            const share = weights.share(owner, cpus) ?? 0;
                            const isFirst = weights.firstOn(cpus) === owner;
                            return (
                                <td key={cpus} class={`number${cpus === now ? " now" : ""}${isFirst ? " largest" : ""}${share <= -0.005 ? " below-zero" : ""}`} title={isFirst ? `To change first on ${counted(cpus, "CPU")}` : undefined}>
                                    {percentText(share)}
                                </td>
                            );
                        })}
                    </tr>
                ))}
            </tbody>
        </table>
    );
}

function OwnerLink({ owner, overview, store }: { readonly owner: Owner; readonly overview: Overview; readonly store: Store }) {
    const name = `${owner.kind === "lock" ? "under " : ""}${shortText(ownerName(owner, overview), 60)}`;
    const selection = owner.kind === "lock" ? ({ kind: "object", index: owner.id } as const) : ({ kind: "site", index: owner.site } as const);
    return selection.index === none ? (
        <>{name}</>
    ) : (
        <button type="button" class="link" onClick={() => store.set({ selection })}>
            {name}
        </button>
    );
}

interface Lever {
    readonly scenario: string;
    readonly text: string;
    readonly time: number | null | undefined; // null: a deadlock, undefined: not tried yet
    readonly isUntried: boolean; // it cannot be
}

// What a change brings, the best first.
function Levers({ workbench, shown, execution, overview, weights }: Props & { readonly weights: Weights }) {
    const { cpus, completion } = execution.totals;
    const { scheduler } = shown;
    const lever = (scenario: string, text: string): Lever => ({
        scenario,
        text,
        time: workbench.timeWith(scenario, cpus, scheduler),
        isUntried: workbench.isUntried(scenario, cpus, scheduler),
    });
    const levers = weights.leaders(cpus, mostLevers).flatMap((owner) => [lever(owner.change + half, halvedText(owner, overview)), lever(owner.change + gone, goneText(owner, overview))]);
    const ofWakeUps = lever(freeWakeUps, freeWakeUpsText);
    if (ofWakeUps.time !== completion) {
        levers.push(ofWakeUps); // else the machine has no such costs, or nobody pays them
    }
    const last = Number.POSITIVE_INFINITY;
    levers.sort((a, b) => (a.time ?? last) - (b.time ?? last) || 0);
    return (
        <table class="plain levers" aria-label="Levers">
            <caption>Levers on {counted(cpus, "CPU")}: what a change would bring, found by replays. Grey: less than 2 % of the time.</caption>
            <thead>
                <tr>
                    <th scope="col">With</th>
                    <th scope="col" class="number">
                        Time
                    </th>
                    <th scope="col" class="number">
                        Change
                    </th>
                    <th scope="col" />
                </tr>
            </thead>
            <tbody>
                {levers.map(({ scenario, text, time, isUntried }) => (
                    <tr key={scenario} class={time != null && 1 - time / completion < worthIt ? "not-worth-it" : ""}>
                        <th scope="row" title={wholeText(scenario)}>
                            {text}
                        </th>
                        <td class="number">{time === undefined ? (isUntried ? "not tried" : "…") : timesText(completion, time)}</td>
                        <td class="number">{time == null ? "" : gainText(completion, time)}</td>
                        <td>
                            <button type="button" class="small" aria-label={`Try: ${text}`} onClick={() => workbench.tryChange(scenario)}>
                                Try
                            </button>
                        </td>
                    </tr>
                ))}
            </tbody>
        </table>
    );
}

function CausesTable({ execution, overview, store }: { readonly execution: Execution; readonly overview: Overview; readonly store: Store }) {
    const table = useMemo(() => pathCauses(execution, overview), [execution, overview]);
    if (table.rows.length === 0) {
        return null;
    }
    const share = (time: number | undefined) => (time ? percentText(time / table.length) : "");
    return (
        <table class="plain causes" aria-label="Critical path by function and cause">
            <caption>
                What the critical path of this execution, on {counted(execution.totals.cpus, "CPU")}, is spent on ({timeText(table.length)}). The keys &lt; and &gt; step through the numbers of CPUs.
            </caption>
            <thead>
                <tr>
                    <th scope="col">Function</th>
                    <th scope="col" class="number">
                        Of the path
                    </th>
                    {table.causes.map(({ key, text, object }) => (
                        <th key={key} scope="col" class="number" title={wholeText(text)}>
                            {object === none ? (
                                text
                            ) : (
                                <button type="button" class="link" onClick={() => store.set({ selection: { kind: "object", index: object } })}>
                                    {shortText(text, 60)}
                                </button>
                            )}
                        </th>
                    ))}
                </tr>
            </thead>
            <tbody>
                {table.rows.map((row) => (
                    <tr key={row.name}>
                        <th scope="row" title={wholeText(row.name)}>
                            {row.site === none ? (
                                shortText(row.name, 60)
                            ) : (
                                <button type="button" class="link" onClick={() => store.set({ selection: { kind: "site", index: row.site } })}>
                                    {shortText(row.name, 60)}
                                </button>
                            )}
                        </th>
                        <td class="number">{share(row.time)}</td>
                        {table.causes.map(({ key }) => (
                            <td key={key} class="number" title={timeText(row.causes.get(key) ?? 0)}>
                                {share(row.causes.get(key))}
                            </td>
                        ))}
                    </tr>
                ))}
            </tbody>
        </table>
    );
}
