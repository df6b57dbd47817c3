// On which network messages are replayed: one that has a name, or values of one's own.

import { networkName, numberOfNetwork, numbersOf, wordOf, type MessagesOverview } from "../networks.ts";

interface Props {
    readonly label: string;
    readonly messages: MessagesOverview;
    readonly network: string; // its word
    readonly change: (network: string) => void;
}

interface Field {
    readonly number: number; // its place among those of a network
    readonly letter: string;
    readonly meaning: string;
    readonly unit: string;
    readonly scale: number; // of the unit
}

const fields: readonly Field[] = [
    { number: numberOfNetwork.latency, letter: "L", meaning: "Latency", unit: "µs", scale: 1000 },
    { number: numberOfNetwork.overhead, letter: "o", meaning: "Overhead of a message", unit: "µs", scale: 1000 },
    { number: numberOfNetwork.gap, letter: "g", meaning: "Gap between messages", unit: "µs", scale: 1000 },
    { number: numberOfNetwork.gapPerByte, letter: "G", meaning: "Gap of a byte", unit: "ns/byte", scale: 1 },
];
const rendezvousFields: readonly Field[] = [
    { number: numberOfNetwork.overheadPerByte, letter: "O", meaning: "Overhead of a byte", unit: "ns/byte", scale: 1 },
    { number: numberOfNetwork.rendezvous, letter: "S", meaning: "Larger messages wait for their receive", unit: "bytes", scale: 1 },
];
const nodesField: Field = { number: numberOfNetwork.nodes, letter: "Nodes", meaning: "Nodes that the ranks are spread over; 0: as given", unit: "", scale: 1 };
const most = 1e12;

export function NetworkControls({ label, messages, network, change }: Props) {
    const numbers = numbersOf(messages, network) ?? messages.networks[0]!.numbers;
    const known = messages.networks.some(({ name }) => name === network);
    const text = messages.networks.find(({ name }) => name === network)?.text;
    const shownFields = [...fields, ...(numbers[numberOfNetwork.kind] === 0 ? rendezvousFields : []), ...(numbers[numberOfNetwork.hasNode] === 1 ? [nodesField] : [])];
    const set = ({ number, scale }: Field, typed: string) => {
        const value = Number(typed.replace(",", ".")) * scale;
        if (typed.trim() !== "" && Number.isFinite(value) && value >= 0 && value <= most && value !== numbers[number]) {
            change(wordOf(numbers.map((each, i) => (i === number ? (isWhole(number) ? Math.round(value) : value) : each))));
        }
    };
    return (
        <div class="controls network">
            <div class="choice-list">
                <span aria-hidden="true">{label}</span>
                <select aria-label={label} value={known ? network : ""} title={text} onChange={(event) => change(event.currentTarget.value)}>
                    {messages.networks.map(({ name, text: values }) => (
                        <option key={name} value={name} title={values}>
                            {networkName(messages, name)}
                        </option>
                    ))}
                    {!known && <option value="">own values</option>}
                </select>
            </div>
            <fieldset class="network-values">
                <legend class="spoken">{label}: values</legend>
                {shownFields.map((field) => (
                    <label key={field.letter} title={`${field.meaning}${field.unit ? `, ${field.unit}` : ""}`}>
                        <span>{field.letter}</span>
                        <input
                            type="text"
                            inputMode="decimal"
                            class={field.number === numberOfNetwork.rendezvous ? "wide" : ""}
                            value={valueText(numbers[field.number]!, field)}
                            aria-label={`${label}: ${field.meaning}${field.unit ? ` in ${field.unit}` : ""}`}
                            onChange={(event) => set(field, event.currentTarget.value)}
                        />
                        {field.unit && <span class="unit">{field.unit}</span>}
                    </label>
                ))}
            </fieldset>
        </div>
    );
}

function isWhole(number: number): boolean {
    return number === numberOfNetwork.nodes || number === numberOfNetwork.rendezvous;
}

function valueText(value: number, { number, scale }: Field): string {
    return number === numberOfNetwork.rendezvous && value >= 2 ** 53 ? "∞" : String(Number((value / scale).toPrecision(6)));
}
