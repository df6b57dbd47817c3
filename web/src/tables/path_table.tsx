// Which group of tasks is worth a change on which number of CPUs? The critical path of a task graph over the counts.

import { useEffect } from "preact/hooks";
import type { Execution } from "../execution.ts";
import { countText, counted, percentText, shortText, timeText, wholeText } from "../format.ts";
import { pathRowsOver, type PathRow } from "../path_parts.ts";
import type { Store } from "../state.ts";
import { none } from "../execution.ts";
import type { Workbench } from "../workbench.ts";
import type { Shown } from "../wished_execution.ts";

interface Props {
    readonly workbench: Workbench;
    readonly shown: Shown;
    readonly execution: Execution;
    readonly store: Store;
    readonly choose: (cpus: number) => void;
}

export function PathTable({ workbench, shown, execution, store, choose }: Props) {
    const { side, scheduler } = shown;
    useEffect(() => workbench.wishPaths(shown), [workbench, side, scheduler, execution]);
    const paths = workbench.pathsOf(side, scheduler);
    const rows = pathRowsOver(paths.map((each) => each.parts));
    if (rows.length === 0) {
        const isEmpty = execution.pathThread.length === 0;
        return <p class="empty">{isEmpty ? "There is no critical path: the run does not end, or its timeline was left out." : "Reading the critical path …"}</p>;
    }
    const now = execution.totals.cpus;
    const largest = paths.map((_, i) => Math.max(...rows.map((row) => row.shares[i] ?? 0)));
    const select = (row: PathRow) => store.set({ selection: { kind: "thread", index: row.index } });
    return (
        <div class="path-table" tabIndex={0} role="region" aria-label="Critical path by group">
            <table class="plain">
                <caption>
                    Share of the critical path: only what lies on it makes the program faster, and at each number of CPUs that is something else.
                    {workbench.hasAllPaths(side, scheduler) ? "" : " Of an execution this large, counts that were looked at are here."}
                </caption>
                <thead>
                    <tr>
                        <th scope="col">On the path</th>
                        {paths.map(({ cpus }) => (
                            <th key={cpus} scope="col" class={cpus === now ? "number now" : "number"}>
                                <button type="button" class="link" aria-pressed={cpus === now} title={`Show ${counted(cpus, "CPU")}`} onClick={() => choose(cpus)}>
                                    {countText(cpus)}
                                </button>
                            </th>
                        ))}
                    </tr>
                </thead>
                <tbody>
                    {rows.map((row) => (
                        <tr key={row.name}>
                            <th scope="row" title={wholeText(row.name)}>
                                {row.index === none ? (
                                    shortText(row.name, 60)
                                ) : (
                                    <button type="button" class="link" onClick={() => select(row)}>
                                        {shortText(row.name, 60)}
                                    </button>
                                )}
                            </th>
                            {row.shares.map((share, i) => (
                                <td key={paths[i]!.cpus} class={cellClass(paths[i]!.cpus === now, share !== null && share === largest[i])}>
                                    {share === null ? (
                                        "…"
                                    ) : (
                                        <>
                                            <span class="path-bar" aria-hidden="true" style={{ width: `${Math.round(share * 100)}%` }} />
                                            <span title={timeText(share * paths[i]!.parts!.length)}>{share === 0 ? "" : percentText(share)}</span>
                                        </>
                                    )}
                                </td>
                            ))}
                        </tr>
                    ))}
                </tbody>
                <tfoot>
                    <tr>
                        <th scope="row">Length of the path</th>
                        {paths.map(({ cpus, parts }) => (
                            <td key={cpus} class={cpus === now ? "number now" : "number"}>
                                {parts ? timeText(parts.length) : "…"}
                            </td>
                        ))}
                    </tr>
                </tfoot>
            </table>
        </div>
    );
}

function cellClass(isNow: boolean, isLargest: boolean): string {
    return `number${isNow ? " now" : ""}${isLargest ? " largest" : ""}`;
}
