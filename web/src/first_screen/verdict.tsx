// What does it mean? What went wrong first; then the figures of the run and the answers: what limits it, where,
// what to try, and what changes would bring.

import type { ComponentChildren } from "preact";
import { CopyButton } from "../chrome/copy_button.tsx";
import type { Execution } from "../execution.ts";
import { percentText, shortText, speedUpText, timeText, wholeText } from "../format.ts";
import { measuredSentence, type MeasuredSentence, type SpeedUpAt } from "../measured.ts";
import { lanesText, type Overview } from "../overview.ts";
import { verdict, type Sentence, type Verdict } from "../sentences.ts";
import type { Store } from "../state.ts";

interface Props {
    readonly execution: Execution;
    readonly overview: Overview;
    readonly store: Store;
    readonly speedUp: number | null;
    readonly points: readonly SpeedUpAt[];
    readonly extent: string | null; // how far the program scales
    readonly children: ComponentChildren; // what to change
}

export function VerdictView({ execution, overview, store, speedUp, points, extent, children }: Props) {
    const { totals } = execution;
    const real = measuredSentence(overview.measured, points, totals.cpus);
    const says = verdict(execution, overview);
    return (
        <div class="verdict">
            <Warnings overview={overview} />
            {totals.deadlocked && <Deadlock says={says} threads={execution.stuckThread.length} store={store} />}
            <div class="run-head">
                <p class="figures" aria-live="polite" hidden={totals.deadlocked}>
                    <span>
                        <b>{timeText(totals.completion)}</b> on {lanesText(overview, totals.cpus)}
                    </span>
                    {speedUp !== null && (
                        <span>
                            <b>{speedUpText(speedUp)}×</b> as fast as one
                        </span>
                    )}
                    {overview.messages && totals.completion > 0 && (
                        <span>
                            <b>{percentText((totals.busy / totals.completion / totals.cpus) * overview.messages.cpusOfRank)}</b> efficiency
                        </span>
                    )}
                    {speedUp !== null && (
                        <span>
                            <b>{percentText(speedUp / totals.cpus)}</b> efficiency
                        </span>
                    )}
                </p>
                <Notes overview={overview} />
            </div>
            {!totals.deadlocked && (
                <dl class="sentences">
                    {real && <Measured sentence={real} />}
                    <Row name="What limits it" sentence={says.limits} store={store} />
                    <Row name="Where" sentence={says.where} store={store} />
                    <Row name="What to try" sentence={says.attempt} store={store} />
                    {children}
                </dl>
            )}
            {!overview.complete && !says.limits && <p class="aside">What limits it, and what to try, is known once a count is replayed.</p>}
            {!totals.deadlocked && extent && !overview.prediction.scaling.withheld && <p class="extent">{extent}</p>}
        </div>
    );
}

function Measured({ sentence }: { readonly sentence: MeasuredSentence }) {
    return (
        <>
            <dt>Measured</dt>
            <dd class={sentence.contradicts ? "contradiction" : ""}>
                {sentence.text}
                {sentence.explanation.map((each, i) => (
                    <span key={i}> {shortText(each, 300)}</span>
                ))}
            </dd>
        </>
    );
}

function Row({ name, sentence, store }: { readonly name: string; readonly sentence: Sentence | null; readonly store: Store }) {
    if (!sentence) {
        return null;
    }
    const { selection, panel } = sentence;
    return (
        <>
            <dt>{name}</dt>
            <dd>
                {sentence.text.replace(/^Try: ./, (lead) => lead.slice(5).toUpperCase())}
                {sentence.command && <Command text={sentence.command} />}
                {selection && (
                    <>
                        {" "}
                        <button type="button" class="link" aria-label={`Show what "${shortText(sentence.text, 60)}" refers to`} onClick={() => store.set({ selection })}>
                            Show
                        </button>
                    </>
                )}
                {panel && (
                    <>
                        {" "}
                        <button type="button" class="link" onClick={() => store.set({ panel })}>
                            Table of {panel}
                        </button>
                    </>
                )}
            </dd>
        </>
    );
}

export function Command({ text }: { readonly text: string }) {
    return (
        <span class="command">
            <code title={wholeText(text)}>{shortText(text, 400)}</code>
            <CopyButton name="Copy" text={() => text} />
        </span>
    );
}

// Where there is little room they scroll, so that the sentences below them stay in sight.
function Warnings({ overview }: { readonly overview: Overview }) {
    const warnings = overview.prediction.findings.filter((finding) => finding.severity === "warning");
    return warnings.length === 0 ? null : (
        <ul class="warnings" role="alert" tabIndex={0} aria-label="Warnings">
            {warnings.map((finding, i) => (
                <li key={i} title={wholeText(finding.message)}>
                    {shortText(finding.message, 320)}
                </li>
            ))}
        </ul>
    );
}

// A click away.
function Notes({ overview }: { readonly overview: Overview }) {
    const { findings, machine, assumptions } = overview.prediction;
    const notes = [
        ...overview.notes,
        ...findings.filter((finding) => finding.severity !== "warning").map((finding) => finding.message),
        ...machine.notes,
        ...assumptions,
    ];
    return notes.length === 0 ? null : (
        <details class="notes">
            <summary>
                {notes.length === 1 ? "1 note" : `${notes.length} notes`}
                <span class="of-it"> on this prediction</span>
            </summary>
            <ul>
                {notes.slice(0, 200).map((note, i) => (
                    <li key={i}>{shortText(note, 400)}</li>
                ))}
            </ul>
        </details>
    );
}

function Deadlock({ says, threads, store }: { readonly says: Verdict; readonly threads: number; readonly store: Store }) {
    const { limits, stuck } = says;
    return (
        <div class="warnings" role="alert">
            <p>{limits?.text}</p>
            <ul>
                {stuck.map(({ text, thread }, row) => (
                    <li key={row}>
                        {text}{" "}
                        <button type="button" class="link" onClick={() => store.set({ selection: thread })}>
                            Show
                        </button>
                    </li>
                ))}
            </ul>
            {threads > stuck.length && <p>… and {threads - stuck.length} more.</p>}
        </div>
    );
}
