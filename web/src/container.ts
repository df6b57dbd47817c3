// What arrays lie in these bytes? Executions and programs come as one container of named columns, which typed
// arrays are laid over without copying. Grammar: docs/formats/execution.md.

import { containerVersion } from "./generated.ts";

export const executionMagic = 0x58454350; // "PCEX"
export const programMagic = 0x47504350; // "PCPG"

const headBytes = 16;
const rowBytes = 40;
const nameBytes = 24;

export type Column =
    | Uint8Array
    | Uint16Array
    | Uint32Array
    | Float64Array
    | Float32Array
    | BigInt64Array
    | BigUint64Array;

const columnTypes = [
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

// The same container from columns: what synthetic executions and tests are made with.
export function writeContainer(magic: number, columns: ReadonlyMap<string, Column>): ArrayBuffer {
    let offset = roundUp(headBytes + columns.size * rowBytes);
    const offsets = [...columns.values()].map((column) => {
        const at = offset;
        offset = roundUp(offset + column.byteLength);
        return at;
    });
    const buffer = new ArrayBuffer(offset);
    const view = new DataView(buffer);
    view.setUint32(0, magic, true);
    view.setUint32(4, containerVersion, true);
    view.setUint32(8, columns.size, true);
    let i = 0;
    for (const [name, column] of columns) {
        const row = headBytes + i * rowBytes;
        new Uint8Array(buffer, row, nameBytes).set(new TextEncoder().encode(name).subarray(0, nameBytes));
        view.setUint32(row + 24, typeOf(column), true);
        view.setUint32(row + 28, column.length, true);
        view.setUint32(row + 32, offsets[i]!, true);
        new Uint8Array(buffer, offsets[i], column.byteLength).set(
            new Uint8Array(column.buffer, column.byteOffset, column.byteLength),
        );
        ++i;
    }
    return buffer;
}

function typeOf(column: Column): number {
    return columnTypes.findIndex((type) => type && column instanceof type);
}

function roundUp(bytes: number): number {
    return Math.ceil(bytes / 8) * 8;
}
