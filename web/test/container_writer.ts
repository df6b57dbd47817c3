// Writes columns as the container that the page reads: what synthetic executions and tests are made with.

import { columnTypes, headBytes, nameBytes, rowBytes, type Column } from "../src/container.ts";
import { containerVersion } from "../src/generated.ts";

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
