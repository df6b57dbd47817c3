// Who sends how much to whom? Senders from top to bottom, receivers from left to right; a click selects a pair of ranks.

import { useEffect, useMemo, useRef } from "preact/hooks";
import { communicationOf, pairSelection, ranksOfPair, type Communication, type PairSum } from "../communication.ts";
import type { Execution } from "../execution.ts";
import { bytesText, countText, counted, timeText } from "../format.ts";
import { useSize, type CalmState } from "../hooks.ts";
import type { MessagesOverview } from "../networks.ts";
import type { Store } from "../state.ts";
import { LinkButton } from "../tables/link_button.tsx";
import { colours, type Scheme } from "../theme/palette.ts";

interface Props {
    readonly execution: Execution;
    readonly messages: MessagesOverview;
    readonly store: Store;
    readonly state: CalmState;
    readonly scheme: Scheme;
    readonly asTable: boolean;
}

const mostCells = 128; // on a side: of more ranks a cell stands for several
const listed = 6; // pairs beside the picture
const mostRows = 200;
const margin = { left: 34, top: 16 };
const least = 0.14; // opacity of a cell with few bytes

export function Matrix(props: Props) {
    const { execution, messages, store, asTable } = props;
    const found = useMemo(() => communicationOf(execution, messages.cpusOfRank), [execution, messages]);
    const [attach, { width, height }] = useSize<HTMLDivElement>();
    if (found.messages === 0) {
        return <p class="aside">{execution.totals.intervalsLeftOut ? "The messages were left out: there are too many." : "No messages are sent."}</p>;
    }
    const select = (pair: PairSum) => store.set({ selection: pairSelection(execution, messages.cpusOfRank, pair.from, pair.to) });
    return asTable ? (
        <PairTable found={found} select={select} />
    ) : (
        <div class="matrix">
            <div class="matrix-picture" ref={attach}>
                {width > 60 && height > 60 && <Picture {...props} found={found} size={Math.floor(Math.min(width - margin.left, height - margin.top)) - 2} />}
            </div>
            <div class="matrix-list">
                <p>
                    {counted(found.messages, "message")}, {bytesText(found.bytes)}. Most between:
                </p>
                <ul>
                    {found.pairs.slice(0, listed).map((pair) => (
                        <li key={`${pair.from} ${pair.to}`}>
                            <LinkButton act={() => select(pair)}>
                                {pair.from} → {pair.to}
                            </LinkButton>{" "}
                            <span class="secondary">
                                {bytesText(pair.bytes)}, {counted(pair.messages, "message")}
                            </span>
                        </li>
                    ))}
                </ul>
            </div>
        </div>
    );
}

interface PictureProps extends Props {
    readonly found: Communication;
    readonly size: number; // px
}

function Picture({ execution, messages, store, state, scheme, found, size }: PictureProps) {
    const canvas = useRef<HTMLCanvasElement>(null);
    const ranksInCell = Math.ceil(found.ranks / mostCells);
    const cells = Math.ceil(found.ranks / ranksInCell);
    const bytes = useMemo(() => cellBytes(found, ranksInCell, cells), [found, ranksInCell, cells]);
    const { selection } = state;
    const selected = selection?.kind === "pair" ? ranksOfPair(execution, messages.cpusOfRank, selection.index) : null;
    useEffect(() => {
        draw(canvas.current!, bytes, cells, size, scheme, selected && [Math.floor(selected[0] / ranksInCell), Math.floor(selected[1] / ranksInCell)]);
    }, [bytes, cells, size, scheme, selected?.[0], selected?.[1]]);
    const cellAt = (event: MouseEvent): readonly [from: number, to: number] | null => {
        const box = canvas.current!.getBoundingClientRect();
        const place = (at: number) => Math.floor((at / size) * cells);
        const [from, to] = [place(event.clientY - box.top), place(event.clientX - box.left)];
        return from >= 0 && to >= 0 && from < cells && to < cells ? [from, to] : null;
    };
    // Of a cell that stands for several pairs, the one with most bytes.
    const pairAt = (event: MouseEvent): PairSum | null => {
        const cell = cellAt(event);
        return (cell && found.pairs.find(({ from, to }) => Math.floor(from / ranksInCell) === cell[0] && Math.floor(to / ranksInCell) === cell[1])) ?? null;
    };
    const last = found.ranks - 1;
    return (
        <div class="matrix-axes" style={{ paddingLeft: `${margin.left}px`, paddingTop: `${margin.top}px` }}>
            <span class="matrix-to" style={{ left: `${margin.left}px`, width: `${size}px` }}>
                <span>to 0</span>
                <span>{last > 0 && countText(last)}</span>
            </span>
            <span class="matrix-from" style={{ top: `${margin.top}px`, height: `${size}px` }}>
                <span>0</span>
                <span>{last > 0 && countText(last)}</span>
            </span>
            <canvas
                ref={canvas}
                role="img"
                aria-label={`Bytes by sender and receiver, ${found.ranks} ranks. As tables (T) lists the pairs.`}
                style={{ width: `${size}px`, height: `${size}px` }}
                onClick={(event) => {
                    const pair = pairAt(event);
                    store.set({ selection: pair ? pairSelection(execution, messages.cpusOfRank, pair.from, pair.to) : null });
                }}
                onMouseMove={(event) => {
                    const pair = pairAt(event);
                    canvas.current!.title = pair ? `rank ${pair.from} → rank ${pair.to}: ${counted(pair.messages, "message")}, ${bytesText(pair.bytes)}` : "";
                    canvas.current!.style.cursor = pair ? "pointer" : "default";
                }}
            />
        </div>
    );
}

function cellBytes({ pairs }: Communication, ranksInCell: number, cells: number): Float64Array {
    const bytes = new Float64Array(cells * cells);
    for (const { from, to, bytes: sent } of pairs) {
        bytes[Math.floor(from / ranksInCell) * cells + Math.floor(to / ranksInCell)]! += Math.max(1, sent);
    }
    return bytes;
}

function draw(canvas: HTMLCanvasElement, bytes: Float64Array, cells: number, size: number, scheme: Scheme, selected: readonly [number, number] | null): void {
    const density = devicePixelRatio || 1;
    canvas.width = Math.round(size * density);
    canvas.height = Math.round(size * density);
    const context = canvas.getContext("2d")!;
    const edge = (cell: number) => Math.round((cell / cells) * canvas.width);
    const { predicted, hairline, focus, background } = colours[scheme];
    context.fillStyle = background;
    context.fillRect(0, 0, canvas.width, canvas.height);
    const most = bytes.reduce((a, b) => Math.max(a, b), 0);
    const gap = canvas.width / cells >= 6 * density ? Math.round(density) : 0;
    context.fillStyle = predicted;
    for (let cell = 0; cell < bytes.length; ++cell) {
        if (bytes[cell]! > 0) {
            const [from, to] = [Math.floor(cell / cells), cell % cells];
            context.globalAlpha = least + (1 - least) * Math.sqrt(bytes[cell]! / most);
            context.fillRect(edge(to), edge(from), Math.max(1, edge(to + 1) - edge(to) - gap), Math.max(1, edge(from + 1) - edge(from) - gap));
        }
    }
    context.globalAlpha = 1;
    context.strokeStyle = hairline;
    context.strokeRect(0.5, 0.5, canvas.width - 1, canvas.height - 1);
    if (selected) {
        context.strokeStyle = focus;
        context.lineWidth = 2 * density;
        const [from, to] = selected;
        context.strokeRect(edge(to), edge(from), Math.max(4, edge(to + 1) - edge(to)), Math.max(4, edge(from + 1) - edge(from)));
    }
}

function PairTable({ found, select }: { readonly found: Communication; readonly select: (pair: PairSum) => void }) {
    return (
        <div class="matrix-table" tabIndex={0} role="region" aria-label="Pairs of ranks">
            <table class="plain">
                <caption>
                    Pairs of ranks by bytes{found.pairs.length > mostRows ? `, the first ${mostRows} of ${countText(found.pairs.length)}` : ""}
                </caption>
                <thead>
                    <tr>
                        <th scope="col">From → to</th>
                        <th scope="col" class="number">Messages</th>
                        <th scope="col" class="number">Bytes</th>
                        <th scope="col" class="number">Waited for</th>
                    </tr>
                </thead>
                <tbody>
                    {found.pairs.slice(0, mostRows).map((pair) => (
                        <tr key={`${pair.from} ${pair.to}`}>
                            <th scope="row">
                                <LinkButton act={() => select(pair)}>
                                    {pair.from} → {pair.to}
                                </LinkButton>
                            </th>
                            <td class="number">{countText(pair.messages)}</td>
                            <td class="number">{bytesText(pair.bytes)}</td>
                            <td class="number">{timeText(pair.late)}</td>
                        </tr>
                    ))}
                </tbody>
            </table>
        </div>
    );
}
