// The threads of a recording by the events/threads model: their events, what they do between them and in them.

import { useEffect, useMemo, useState } from "preact/hooks";
import { countText, counted, percentText, threeDigits, timeText } from "../format.ts";
import type { CalmState } from "../hooks.ts";
import { threadColumns } from "../signature/recording_details.tsx";
import type { Recording, SignatureAnswer } from "../signature/signature.ts";
import type { Source } from "../source.ts";
import type { Store } from "../state.ts";
import type { Workbench } from "../workbench.ts";
import type { Shown } from "../wished_execution.ts";
import { Table } from "./table.tsx";

interface Props {
    readonly workbench: Workbench;
    readonly shown: Shown;
    readonly store: Store;
    readonly state: CalmState;
}

export function Signature({ workbench, shown, store, state }: Props) {
    const answer = useSignature(workbench.bench(shown.side).source);
    const recording = typeof answer === "string" ? undefined : answer?.recordings[0];
    return recording ? <Rows recording={recording} store={store} state={state} /> : <p class="empty">{typeof answer === "string" ? answer : "Counting the events …"}</p>;
}

function Rows({ recording, store, state }: { readonly recording: Recording; readonly store: Store; readonly state: CalmState }) {
    const rows = recording.thread_rows ?? [];
    const columns = useMemo(() => threadColumns(recording, rows), [recording]);
    return (
        <>
            <p class="panel-note">
                {counted(recording.events, "event")} of {countText(rows.length)} threads; with a CPU for each, whatever is shown above: η {percentText(recording.eta)}, γ{" "}
                {recording.gamma === null ? "–" : threeDigits(recording.gamma)}, Δ {percentText(recording.imbalance)}, {threeDigits(recording.nu_active)} threads active on average, in {timeText(recording.time_ns)}
            </p>
            <Table
                label="Signature"
                columns={columns}
                rows={rows}
                isSelected={(row) => state.selection?.kind === "thread" && state.selection.index === row.id}
                choose={(row) => store.set({ selection: { kind: "thread", index: row.id } })}
                empty="There are no threads."
            />
        </>
    );
}

// null: not there yet; a sentence: why it is not.
function useSignature(source: Source): SignatureAnswer | string | null {
    const [answer, setAnswer] = useState<SignatureAnswer | string | null>(null);
    useEffect(() => {
        let isWanted = true;
        const show = (found: SignatureAnswer | string) => isWanted && setAnswer(found);
        source.signature().then(show, (error: unknown) => show(error instanceof Error ? error.message : String(error)));
        return () => {
            isWanted = false;
        };
    }, [source]);
    return answer;
}
