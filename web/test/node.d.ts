// The little of Node that the tests use.

declare module "node:test" {
    export function test(name: string, body: () => void | Promise<void>): void;
}

declare module "node:assert/strict" {
    const assert: {
        (value: unknown, message?: string): asserts value;
        equal(actual: unknown, expected: unknown, message?: string): void;
        notEqual(actual: unknown, expected: unknown, message?: string): void;
        deepEqual(actual: unknown, expected: unknown, message?: string): void;
        throws(body: () => unknown, expected?: RegExp | object): void;
        rejects(body: Promise<unknown> | (() => Promise<unknown>), expected?: RegExp | object): Promise<void>;
        match(text: string, pattern: RegExp, message?: string): void;
        doesNotMatch(text: string, pattern: RegExp, message?: string): void;
    };
    export default assert;
}

declare module "node:fs/promises" {
    export function readFile(path: string): Promise<Uint8Array<ArrayBuffer>>;
    export function readFile(path: string, encoding: "utf8"): Promise<string>;
    export function readdir(path: string, options: { readonly recursive: true }): Promise<string[]>;
}

declare module "node:path" {
    export function dirname(path: string): string;
    export function join(...parts: string[]): string;
    export function normalize(path: string): string;
}
