// How two executions differ, and where that comes from: the sentences of `parcast compare`, and its tables for the number
// of CPUs that is shown.

import { counted, countText, shortText, timeText, wholeText } from "../format.ts";
import { countNear, rowsOf, type CountDifference, type DifferenceAnswer, type DifferenceOfTwo, type Row, type TwoTimes } from "./difference.ts";

interface Props {
    readonly answer: DifferenceAnswer;
    readonly cpus: number; // shown
    readonly choose: (cpus: number) => void;
}

const mostRows = 8;

export function DifferenceCard({ answer, cpus, choose }: Props) {
    const difference = answer.differences[0]!;
    const count = countNear(difference, cpus);
    const isMeasured = answer.sides.some(({ origin }) => origin === "measured");
    return (
        <div class="verdict difference">
            {difference.sentences.map((sentence, i) => (
                <p key={i} class={i === 0 ? "difference-first" : ""} title={wholeText(sentence)}>
                    {shortText(sentence, 500)}
                </p>
            ))}
            {difference.names.map((sentence, i) => (
                <p key={i} class="aside" title={wholeText(sentence)}>
                    {shortText(sentence, 300)}
                </p>
            ))}
            {isMeasured && count && count.cpus !== cpus && (
                <p class="aside">
                    {difference.second} was measured on {counted(count.cpus, "CPU")} only. The sentences and tables are for them, not for the {countText(cpus)} that are predicted.{" "}
                    <button type="button" class="link" onClick={() => choose(count.cpus)}>
                        Show {counted(count.cpus, "CPU")}
                    </button>
                </p>
            )}
            {!isMeasured && <Times difference={difference} cpus={count?.cpus ?? 0} choose={choose} />}
            {count && <Parts difference={difference} count={count} isMeasured={isMeasured} />}
            {isMeasured && <p class="aside">A is predicted, {difference.second} is measured. The kernel tells neither what a thread waits for nor its own code from the system's work.</p>}
            {answer.notes.map((note, i) => (
                <p key={i} class="aside">
                    {shortText(note, 300)}
                </p>
            ))}
        </div>
    );
}

function Times({ difference, cpus, choose }: { readonly difference: DifferenceOfTwo; readonly cpus: number; readonly choose: (cpus: number) => void }) {
    return (
        <table class="plain">
            <caption>Times by number of CPUs</caption>
            <thead>
                <tr>
                    <th scope="col" class="number">CPUs</th>
                    <th scope="col" class="number">{difference.first}</th>
                    <th scope="col" class="number">{difference.second}</th>
                    <th scope="col" class="number">{`${difference.second}/${difference.first}`}</th>
                    <th scope="col" class="number">90 % range</th>
                </tr>
            </thead>
            <tbody>
                {difference.counts.map((count) => (
                    <tr key={count.cpus} class={count.cpus === cpus ? "chosen" : ""}>
                        <td class="number">
                            <button type="button" class="link" aria-pressed={count.cpus === cpus} onClick={() => choose(count.cpus)}>
                                {count.cpus}
                            </button>
                        </td>
                        <td class="number">{timeText(count.first.time_ns)}</td>
                        <td class="number">{timeText(count.second.time_ns)}</td>
                        <td class="number">{count.ratio.toFixed(2)}</td>
                        <td class="number">{count.ratio_range ? `${count.ratio_range.low.toFixed(2)} – ${count.ratio_range.high.toFixed(2)}` : ""}</td>
                    </tr>
                ))}
            </tbody>
        </table>
    );
}

// Of one count, which no table of times has: with the times that the parts sum to.
function timeRow({ first, second }: CountDifference, { first: name }: DifferenceOfTwo): Row {
    const range = first.range ? `90 % range of ${name}: ${timeText(first.range.low)} – ${timeText(first.range.high)}` : "";
    return { name: "time", note: range, times: { first_ns: first.time_ns, second_ns: second.time_ns, change_ns: second.time_ns - first.time_ns } };
}

function Parts({ difference, count, isMeasured }: { readonly difference: DifferenceOfTwo; readonly count: CountDifference; readonly isMeasured: boolean }) {
    const on = `on ${counted(count.cpus, "CPU")}`;
    const shares: Row[] = count.shares.map(({ label, ...times }) => ({ name: label, note: "", times }));
    if (isMeasured) {
        shares.push(timeRow(count, difference));
    }
    return (
        <>
            <Rows caption={`Processor time over the CPUs, ${on}`} difference={difference} rows={shares} />
            <Rows caption={`Waiting for locks and other objects, ${on}`} difference={difference} rows={rowsOf(count.objects, (each) => each.waiting)} />
            <Rows caption={`Running threads, ${on}`} difference={difference} rows={rowsOf(count.threads, (each) => each.running)} />
            <Rows caption="CPU time of functions" difference={difference} rows={rowsOf(count.functions, (each) => each.cpu_time)} />
        </>
    );
}

function Rows({ caption, difference, rows }: { readonly caption: string; readonly difference: DifferenceOfTwo; readonly rows: readonly Row[] }) {
    if (rows.length === 0) {
        return null;
    }
    return (
        <table class="plain">
            <caption>{caption}</caption>
            <thead>
                <tr>
                    <th scope="col">What</th>
                    <th scope="col" class="number">{difference.first}</th>
                    <th scope="col" class="number">{difference.second}</th>
                    <th scope="col" class="number">{`${difference.second} − ${difference.first}`}</th>
                    <th scope="col"></th>
                </tr>
            </thead>
            <tbody>
                {rows.slice(0, mostRows).map(({ name, note, times }, i) => (
                    <tr key={i}>
                        <td title={wholeText(name)}>{shortText(name, 60)}</td>
                        <td class="number">{times.first_ns > 0 ? timeText(times.first_ns) : ""}</td>
                        <td class="number">{times.second_ns > 0 ? timeText(times.second_ns) : ""}</td>
                        <td class="number">{changeText(times)}</td>
                        <td>{note}</td>
                    </tr>
                ))}
            </tbody>
        </table>
    );
}

export function changeText({ change_ns: change }: TwoTimes): string {
    const whole = Math.round(change);
    return whole === 0 ? "0" : `${whole < 0 ? "−" : "+"}${timeText(Math.abs(whole))}`;
}
