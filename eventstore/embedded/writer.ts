/**
 * Group commit: writes that arrive while the disk is busy are decided together, flushed once, and only then answered.
 * One batch is in flight at a time, so that every decision is based on durable data.
 */
import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { Log } from './log.ts';
import { RecentIds } from './recentIds.ts';
import { EARLY_RETRY_MS, type Traits } from './traits.ts';
import { type Outcome, Transaction, type Write } from './transaction.ts';

interface Waiting {
  readonly write: Write;
  readonly answer: (outcome: Outcome) => void;
}

/** If several callers wrote at once recently, waiting briefly for the others turns many flushes into one. */
const GATHER_MS = 1;
/** Bounds the latency of one flush. */
const BATCH_WRITES = 1024;
/** Above either of these limits, callers have to wait before they add more. */
const QUEUE_WRITES = 4 * BATCH_WRITES;
const QUEUE_BYTES = 32 * 1024 * 1024;

const sizeOf = (write: Write): number => (write.kind === 'append' ? write.size : 0);

export class Writer {
  readonly #log: Log;
  readonly #recentIds = new RecentIds();
  readonly #onFailure: (error: Error) => void;
  #queue: Waiting[] = [];
  #queuedBytes = 0;
  #lastBatch = 0;
  #running: Promise<void> | undefined;
  #afterBatch: (() => void)[] = [];
  #closed = false;
  readonly #traits: Traits;
  /** First event ids of the appends that are not answered yet. */
  readonly #underWay = new Set<string>();

  /** `onFailure` must end the process, because decisions in memory are not on disk. */
  constructor(log: Log, onFailure: (error: Error) => void, traits: Traits = new Set()) {
    this.#log = log;
    this.#onFailure = onFailure;
    this.#traits = traits;
  }

  /** Resolves once the outcome is durable. Never resolves when the disk fails: then the process ends. */
  submit(write: Write): Promise<Outcome> {
    if (this.#closed) return Promise.resolve({ kind: 'unavailable' });
    if (this.#traits.has('hold-early-retries')) return this.#submitOrHold(write);
    return this.#enqueue(write);
  }

  async #submitOrHold(write: Write): Promise<Outcome> {
    const id = write.kind === 'append' ? write.events[0]?.id : undefined;
    if (id === undefined) return this.#enqueue(write);
    if (this.#underWay.has(id)) return pause(EARLY_RETRY_MS, { kind: 'not_ready' }, { ref: false });
    this.#underWay.add(id);
    return this.#enqueue(write).finally(() => this.#underWay.delete(id));
  }

  #enqueue(write: Write): Promise<Outcome> {
    return new Promise((answer) => {
      this.#queue.push({ write, answer });
      this.#queuedBytes += sizeOf(write);
      this.#running ??= this.#run();
    });
  }

  /** Resolves when the queue has room for another write. */
  async room(): Promise<void> {
    while (this.#queue.length >= QUEUE_WRITES || this.#queuedBytes >= QUEUE_BYTES)
      await new Promise<void>((resolve) => this.#afterBatch.push(resolve));
  }

  /** Refuses new writes and resolves when all accepted writes are answered. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#queue.length > 0) {
      await (this.#lastBatch > 1 ? pause(GATHER_MS) : nextTurn());
      const batch = this.#queue.slice(0, BATCH_WRITES);
      this.#lastBatch = batch.length;
      this.#queue = this.#queue.slice(BATCH_WRITES);
      for (const { write } of batch) this.#queuedBytes -= sizeOf(write);
      try {
        await this.#commit(batch);
      } catch (error) {
        this.#onFailure(error instanceof Error ? error : new Error(String(error)));
        return;
      }
      for (const resume of this.#afterBatch.splice(0)) resume();
    }
    this.#running = undefined;
  }

  async #commit(batch: readonly Waiting[]): Promise<void> {
    const transaction = new Transaction(this.#log, this.#recentIds, Date.now(), randomUUID);
    const answers = batch.map(({ write, answer }) => ({ answer, outcome: transaction.apply(write) }));
    await this.#log.commit(transaction);
    for (const { answer, outcome } of answers) answer(outcome);
  }
}
