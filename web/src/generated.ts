// Made of the tables of C++ by web/module/constants.cpp: `./dev page` writes it, tests compare it.

export const containerVersion = 3; // src/view/sections.h

// src/timeline/interval.h
export const State = {
    running: 0,
    switching: 1,
    spinning: 2,
    ready: 3,
    blocked: 4,
    sleeping: 5,
    inputAndOutput: 6,
    communicating: 7,
} as const;
export const stateCount = 8;

// src/answer/limit.h
export const Cause = {
    busy: 0,
    slowed: 1,
    spinning: 2,
    overhead: 3,
    ready: 4,
    lock: 5,
    condition: 6,
    inputOutput: 7,
    sleeping: 8,
    joining: 9,
    noThread: 10,
    communicating: 11,
    message: 12,
    carrier: 13,
} as const;
export const causeWords = [
    "busy",
    "busy CPUs slowing each other",
    "other spinning",
    "switching and waking threads",
    "ready, not yet on a CPU",
    "other locks",
    "other conditions",
    "other I/O",
    "sleeping",
    "waiting for threads to end",
    "no thread to run",
    "sending and receiving messages",
    "other waiting for messages",
    "no LWP free for a ready thread",
] as const;

// src/timeline/message.h
export const delayNames = [
    "on time",
    "sender computed",
    "sender communicated",
    "sender waited",
    "in flight",
    "receiver busy",
    "interface busy",
    "receive came later",
    "never received",
] as const;
export const delayTexts = [
    "Nobody waited for it.",
    "The receiver waited {late} for it: the sender computed for most of that time.",
    "The receiver waited {late} for it: the sender sent or received other messages for most of that time.",
    "The receiver waited {late} for it: the sender waited itself for most of that time.",
    "The receiver waited {late} for it while it was on its way: the network's latency.",
    "It had arrived and waited {late}: the receiver's processor was busy.",
    "It had arrived and waited {late}: the receiver's interface was busy with other messages.",
    "It was there {late} before its receive.",
    "No receive takes it.",
] as const;

// src/timeline/run_of_messages.h
export const waitReasons = [
    "It waits for a message from {peer} that has not arrived.",
    "It has sent a large message and waits until its receive is posted; {peer} ended that.",
    "It waits for its own interface, which is still busy with other messages.",
    "It waits for {peer}.",
    "It is in a collective operation and waits for {peer}.",
] as const;

// src/program/operation_kind.h
export const Operation = {
    work: 0,
    end: 1,
    create: 2,
    join: 3,
    joinAny: 4,
    lock: 5,
    unlock: 6,
    readLock: 7,
    writeLock: 8,
    readWriteUnlock: 9,
    conditionWait: 10,
    conditionSignal: 11,
    conditionBarrier: 12,
    barrierWait: 13,
    semaphoreWait: 14,
    semaphorePost: 15,
    delay: 16,
    inputOutput: 17,
    yield: 18,
    setAffinity: 19,
    setPriority: 20,
    activate: 21,
    accept: 22,
    setConcurrency: 23,
    sleepUntil: 24,
} as const;
export const operationNames = [
    "work",
    "end",
    "create",
    "join",
    "join any",
    "lock",
    "unlock",
    "read lock",
    "write lock",
    "read-write unlock",
    "condition wait",
    "condition signal",
    "condition barrier",
    "barrier wait",
    "semaphore wait",
    "semaphore post",
    "delay",
    "input/output",
    "yield",
    "set affinity",
    "set priority",
    "activate",
    "accept",
    "set concurrency",
    "sleep until",
] as const;
// Operations whose object is a thread.
export const operationsOnThreads: readonly number[] = [2, 3, 21];

// src/machine/schedulers.h
export const schedulers = [
    "ideal",
    "linux",
    "round-robin",
    "linux-2.2",
    "two-level",
    "solaris",
    "fibers",
    "eevdf",
] as const;
export const schedulersOnLwps = [
    "two-level",
    "solaris",
    "fibers",
] as const;

// src/semantics/operations.h
export const models = [
    "direct",
    "strict",
    "ordered",
    "client-server",
] as const;

// src/view/totals.h
export const totalNames = [
    "cpus",
    "completion",
    "busy",
    "slowed",
    "spinning",
    "overhead",
    "ready",
    "lock",
    "condition",
    "inputOutput",
    "sleeping",
    "joining",
    "noThread",
    "communicating",
    "message",
    "carrier",
    "pathBusy",
    "operations",
    "contextSwitches",
    "migrations",
    "deadlocked",
    "deadlockTime",
    "scheduler",
    "pairing",
    "eventsLeftOut",
    "predicted",
    "intervalsLeftOut",
] as const;
