// What arrays lie in these bytes? Executions and programs come as one container of named columns, which typed
// arrays are laid over without copying. Grammar: docs/formats/execution.md.

import { containerVersion } from "./generated.ts";

export const executionMagic = 0x58454350; // "PCEX"
export const programMagic = 0x47504350; // "PCPG"
export const weightsMagic = 0x54574350; // "PCWT"

export const headBytes = 16;
export const rowBytes = 40;
export const nameBytes = 24;

export type Column =
    | Uint8Array
    | Uint16Array
    | Uint32Array
    | Float64Array
    | Float32Array
    | BigInt64Array
    | BigUint64Array;

export const columnTypes = [
    undefined,
    Uint8Array,
    Uint16Array,
    Uint32Array,
    Float64Array,
    Float32Array,
    BigInt64Array,
    BigUint64Array,
] as const;

export class Malformed extends Error {
    override name = "Malformed";
}

// The columns by name. Throws Malformed, with the place, at bytes that are no such container.
export function readContainer(buffer: ArrayBuffer, magic: number): Map<string, Column> {
    const view = new DataView(buffer);
    if (buffer.byteLength < headBytes || view.getUint32(0, true) !== magic) {
        throw new Malformed("These bytes are not data of this page: they do not begin as such.");
    }
    const version = view.getUint32(4, true);
    if (version !== containerVersion) {
        throw new Malformed(`Its version is ${version}; this page reads ${containerVersion}.`);
    }
    const sections = view.getUint32(8, true);
    if (headBytes + sections * rowBytes > buffer.byteLength) {
        throw new Malformed("It ends within its table of columns.");
    }
    const columns = new Map<string, Column>();
    for (let i = 0; i < sections; ++i) {
        const [name, column] = readColumn(buffer, view, headBytes + i * rowBytes);
        columns.set(name, column);
    }
    return columns;
}

function readColumn(buffer: ArrayBuffer, view: DataView, row: number): [string, Column] {
    const name = nameAt(new Uint8Array(buffer, row, nameBytes));
    const type = columnTypes[view.getUint32(row + 24, true)];
    const length = view.getUint32(row + 28, true);
    const offset = view.getUint32(row + 32, true);
    if (!type) {
        throw new Malformed(`Column ${name} has no type that this page knows.`);
    }
    if (offset % 8 !== 0 || offset + length * type.BYTES_PER_ELEMENT > buffer.byteLength) {
        throw new Malformed(`Column ${name} does not lie within the data.`);
    }
    return [name, new type(buffer, offset, length)];
}

function nameAt(bytes: Uint8Array): string {
    const end = bytes.indexOf(0);
    return String.fromCharCode(...bytes.subarray(0, end < 0 ? nameBytes : end));
}
