// What became of the processor time? One bar for the run.

import type { Execution } from "../execution.ts";
import { percentText, shortText, timeText, wholeText } from "../format.ts";
import type { Overview } from "../overview.ts";
import type { Store } from "../state.ts";
import { none } from "../execution.ts";
import { legendOf, sharesOf, type Share } from "./shares.ts";

const legendEntries = 6;

interface Props {
    readonly execution: Execution;
    readonly overview: Overview;
    readonly store: Store;
    readonly asTable: boolean;
    readonly label: string; // which run, where there are two; else empty
}

export function RunBar({ execution, overview, store, asTable, label }: Props) {
    const shares = sharesOf(execution, overview);
    const legend = legendOf(shares, legendEntries);
    const select = (share: Share) => store.set({ selection: { kind: "object", index: share.object } });
    if (execution.totals.deadlocked) {
        return <p class="bar-label">{label ? `${label}: ` : ""}It deadlocks: there is no processor time to account for.</p>;
    }
    if (asTable) {
        return <ShareTable shares={shares} label={label} />;
    }
    return (
        <div class="run-bar">
            <div class="run-bar-track" role="img" aria-label={spoken(shares, execution)}>
                {shares.map((share, i) => (
                    <span
                        key={i}
                        class={`segment fill-${share.kind}`}
                        style={{ flexGrow: share.share }}
                        title={`${percentText(share.share)} ${wholeText(share.label)}: ${timeText(share.time)} of processor time`}
                    />
                ))}
            </div>
            <ul class="legend">
                {label && <li class="bar-label">{label}</li>}
                {legend.map((share, i) => (
                    <li key={i}>
                        <span class={`swatch fill-${share.kind}`} aria-hidden="true" />
                        <b>{percentText(share.share)}</b>{" "}
                        {share.object === none ? (
                            share.label
                        ) : (
                            <button type="button" class="link" title={wholeText(share.label)} onClick={() => select(share)}>
                                {shortText(share.label, 44)}
                            </button>
                        )}
                    </li>
                ))}
            </ul>
        </div>
    );
}

function spoken(shares: readonly Share[], execution: Execution): string {
    return (
        `Processor time on ${execution.totals.cpus} CPUs: ` +
        shares.map((share) => `${percentText(share.share)} ${shortText(share.label)}`).join(", ")
    );
}

function ShareTable({ shares, label }: { readonly shares: readonly Share[]; readonly label: string }) {
    return (
        <div tabIndex={0} role="region" aria-label={`Processor time ${label}`}>
            <table class="plain">
                <caption>Processor time by what it went to{label ? `: ${label}` : ""}</caption>
                <thead>
                    <tr>
                        <th scope="col">What</th>
                        <th scope="col" class="number">
                            Share
                        </th>
                        <th scope="col" class="number">
                            Processor time
                        </th>
                    </tr>
                </thead>
                <tbody>
                    {shares.map((share, i) => (
                        <tr key={i}>
                            <th scope="row" title={wholeText(share.label)}>
                                <span class={`swatch fill-${share.kind}`} aria-hidden="true" /> {shortText(share.label, 60)}
                            </th>
                            <td class="number">{percentText(share.share)}</td>
                            <td class="number">{timeText(share.time)}</td>
                        </tr>
                    ))}
                </tbody>
            </table>
        </div>
    );
}
