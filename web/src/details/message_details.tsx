// What is known of a message, of a pair of ranks, of the messages of a rank or an interval, and of such a run as a whole.

import { communicationOf, delayText, ranksOfPair } from "../communication.ts";
import { State, type Execution } from "../execution.ts";
import { bytesText, countText, counted, instantText, percentText, shortText, timeText, wholeText } from "../format.ts";
import { delayNames } from "../generated.ts";
import { givenNetwork, networkName, type MessagesOverview } from "../networks.ts";
import { lanesText, threadLabel, type Overview } from "../overview.ts";
import type { Store } from "../state.ts";
import { messageFlowsOf } from "../timeline/message_flows.ts";
import { Fact, Facts, Link } from "./facts.tsx";
import { LinkButton } from "../tables/link_button.tsx";

interface Props {
    readonly execution: Execution;
    readonly overview: Overview;
    readonly messages: MessagesOverview;
    readonly store: Store;
}
type Indexed = Props & { readonly index: number };

const mostLinks = 8;

export function MessagesRun({ execution, overview, messages, scheduler }: Props & { readonly scheduler: string }) {
    const { totals } = execution;
    const { prediction } = overview;
    const found = communicationOf(execution, messages.cpusOfRank);
    const network = messages.networks.find(({ name }) => name === scheduler);
    const efficiency = scheduler === givenNetwork && !totals.deadlocked ? messages.efficiency : null;
    const share = (value: number | null | undefined) => (value == null ? "–" : percentText(value));
    return (
        <>
            <Facts>
                {totals.deadlocked ? <Fact name="Deadlock after">{timeText(totals.deadlockTime)}</Fact> : <Fact name="Predicted time">{timeText(totals.completion)}</Fact>}
                <Fact name="Ranks">{lanesText(overview, totals.cpus)}</Fact>
                <Fact name="Network" {...(network ? { about: network.source } : {})}>
                    {networkName(messages, scheduler)}
                    {network ? `: ${network.text}` : ""}
                </Fact>
                {efficiency && (
                    <Fact name="Efficiency" about="load balance x serialisation x transfer">
                        {share(efficiency.parallel)} = load balance {share(efficiency.load_balance)} × serialisation {share(efficiency.serialisation)} × transfer {share(efficiency.transfer)}
                    </Fact>
                )}
                <Fact name="Computing">{timeText(totals.busy)}</Fact>
                <Fact name="Messages">
                    {countText(found.messages)}, {bytesText(found.bytes)}
                </Fact>
                <Fact name="Operations">{countText(totals.operations)}</Fact>
                <Fact name="Replayed">{messages.isSteps ? "as steps that overlap" : "message by message"}</Fact>
                <Fact name="File">
                    <span title={wholeText(prediction.input.file)}>{shortText(prediction.input.file, 60)}</span>
                </Fact>
            </Facts>
            {totals.intervalsLeftOut && <p class="aside">It has too many intervals for this page; they were left out.</p>}
            <p class="aside">Select a rank, an interval, a message or a pair of ranks to see more about it.</p>
        </>
    );
}

export function MessageDetails({ execution, overview, store, index }: Indexed) {
    const [from, to] = [execution.messageFrom[index]!, execution.messageTo[index]!];
    const [sent, arrived, received] = [execution.messageSent[index]!, execution.messageArrived[index]!, execution.messageReceived[index]!];
    const around = Math.max(1, received - sent);
    return (
        <>
            <p class="name">
                {bytesText(execution.messageBytes[index]!)} from {threadLabel(overview, from)} to {threadLabel(overview, to)}
            </p>
            <p class="reason">{delayText(execution, index)}</p>
            <Facts>
                <Fact name="From">
                    <Link store={store} to={{ kind: "thread", index: from }} text={threadLabel(overview, from)} />
                </Fact>
                <Fact name="To">
                    <Link store={store} to={{ kind: "thread", index: to }} text={threadLabel(overview, to)} />
                </Fact>
                <Fact name="Size">{countText(execution.messageBytes[index]!)} bytes</Fact>
                <Fact name="Tag">{execution.messageTag[index]}</Fact>
                <Fact name="Sent" about="Its send begins">{instantText(sent)}</Fact>
                <Fact name="Arrives" about="Its first byte is there">{instantText(arrived)}</Fact>
                <Fact name="Received" about="Its receive ends">{instantText(received)}</Fact>
                <Fact name="From send to receive">{timeText(received - sent)}</Fact>
            </Facts>
            <button type="button" class="small" onClick={() => store.zoomTo([Math.max(0, sent - around), Math.min(execution.totals.completion, received + around)])}>
                Zoom to it
            </button>
        </>
    );
}

export function PairDetails({ execution, overview, messages, store, index }: Indexed) {
    const [from, to] = ranksOfPair(execution, messages.cpusOfRank, index);
    const sum = communicationOf(execution, messages.cpusOfRank).pairs.find((pair) => pair.from === from && pair.to === to);
    const lane = (rank: number) => rank * messages.cpusOfRank;
    return (
        <>
            <p class="name">
                Rank {from} → rank {to}
            </p>
            <Facts>
                <Fact name="From">
                    <Link store={store} to={{ kind: "thread", index: lane(from) }} text={threadLabel(overview, lane(from))} />
                </Fact>
                <Fact name="To">
                    <Link store={store} to={{ kind: "thread", index: lane(to) }} text={threadLabel(overview, lane(to))} />
                </Fact>
                <Fact name="Messages">{countText(sum?.messages ?? 0)}</Fact>
                <Fact name="Bytes">{bytesText(sum?.bytes ?? 0)}</Fact>
                <Fact name="Waited for" about="By the receiver, until they arrived">{timeText(sum?.late ?? 0)}</Fact>
            </Facts>
            <LinkButton act={() => store.set({ panel: "messages" })}>Table of its messages</LinkButton>
        </>
    );
}

// What a rank sends and receives.
export function RankFacts({ execution, messages, index }: Indexed) {
    const rank = Math.floor(index / messages.cpusOfRank);
    const { pairs } = communicationOf(execution, messages.cpusOfRank);
    const sum = (of: typeof pairs) => `${counted(of.reduce((all, pair) => all + pair.messages, 0), "message")}, ${bytesText(of.reduce((all, pair) => all + pair.bytes, 0))}`;
    return (
        <>
            <Fact name="Sends">{sum(pairs.filter(({ from }) => from === rank))}</Fact>
            <Fact name="Receives">{sum(pairs.filter(({ to }) => to === rank))}</Fact>
        </>
    );
}

// Messages that an interval sends, receives or waits for.
export function MessagesOfInterval({ execution, overview, messages, store, index }: Indexed) {
    if (execution.intervalState[index] === State.running) {
        return null;
    }
    const { drawn } = messageFlowsOf(execution, messages.cpusOfRank, { kind: "interval", index }, [0, execution.totals.completion]);
    return drawn.slice(0, mostLinks).map(({ message, from, to }) => (
        <Fact key={message} name="Message" about={delayNames[execution.messageDelay[message!]!] ?? ""}>
            <Link store={store} to={{ kind: "message", index: message! }} text={`${bytesText(execution.messageBytes[message!]!)}, ${threadLabel(overview, from)} → ${threadLabel(overview, to)}`} />
        </Fact>
    ));
}
