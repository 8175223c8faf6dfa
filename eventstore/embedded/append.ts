/** Answers Append, Delete and Tombstone: one write per call. */
import { randomUUID } from 'node:crypto';
import { type Fault, MAX_APPEND_BYTES, Refused } from './faults.ts';
import { appendConflict, appended, deleted, type Written } from './replies.ts';
import { decodeAppend, decodeTarget, InvalidRequest, type ProposedEvent, type StreamTarget } from './requests.ts';
import type { Write } from './transaction.ts';
import type { Writer } from './writer.ts';

/** An append whose events are still arriving. */
export class Draft {
  readonly target: StreamTarget;
  readonly #deadline: number;
  readonly #events: ProposedEvent[] = [];
  #size = 0;

  /** `deadline` in milliseconds since 1970. */
  constructor(target: StreamTarget, deadline: number) {
    this.target = target;
    this.#deadline = deadline;
  }

  /** As the server counts it: two bytes for each character of a type. */
  get size(): number {
    return this.#size;
  }

  /** False when the append has become too large. */
  add(event: ProposedEvent): boolean {
    this.#events.push(event);
    this.#size += event.data.length + event.metadata.length + event.type.length * 2;
    return this.#size <= MAX_APPEND_BYTES;
  }

  get write(): Write {
    return { kind: 'append', ...this.target, events: this.#events, size: this.#size, deadline: this.#deadline };
  }
}

/** Throws `Refused` and `InvalidRequest`. A conflict is not thrown: it has its own reply. */
export const append = async (writer: Writer, requests: AsyncIterable<Buffer>, deadline: number): Promise<Buffer> => {
  let draft: Draft | undefined;
  for await (const request of requests) {
    const { target, event } = decodeAppend(request);
    if (target) draft = new Draft(target, deadline);
    if (!draft) throw new InvalidRequest('the first message of an append names the stream');
    if (event && !draft.add(event)) throw new Refused({ kind: 'append_too_large' }, draft.target.stream);
  }
  if (!draft) throw new InvalidRequest('an append needs at least the message that names the stream');
  await writer.room();
  const outcome = await writer.submit(draft.write);
  if (outcome.kind === 'wrong_expected_version') return appendConflict(outcome.expected, outcome.current);
  return appended(writtenOr(outcome, draft.target.stream));
};

/** Throws `Refused` and `InvalidRequest`. */
export const deleteStream = async (writer: Writer, kind: 'delete' | 'tombstone', request: Buffer): Promise<Buffer> => {
  const target = decodeTarget(request);
  await writer.room();
  const outcome = await writer.submit({ kind, ...target, eventId: randomUUID() });
  return deleted(writtenOr(outcome, target.stream).position ?? 0);
};

const writtenOr = (outcome: ({ kind: 'written' } & Written) | Fault, stream: string): Written => {
  if (outcome.kind !== 'written') throw new Refused(outcome, stream);
  return outcome;
};
