/**
 * Answers BatchAppend: one long call carries all appends of a client, and each is answered as soon as it is durable.
 */
import { Draft } from './append.ts';
import { batchError, callError, endsBatch, type Fault } from './faults.ts';
import type { Outlet } from './outlet.ts';
import { batchAppended, batchRefused } from './replies.ts';
import { type BatchAppendRequest, decodeBatchAppend, InvalidRequest } from './requests.ts';
import type { Outcome } from './transaction.ts';
import type { Writer } from './writer.ts';

/** How much of the appends of one call may be here without their last message. */
const UNFINISHED_BYTES = 16 * 1024 * 1024;

export class BatchAppendCall {
  readonly #writer: Writer;
  readonly #outlet: Outlet;
  readonly #drafts = new Map<string, Draft>();
  #unanswered = 0;

  constructor(writer: Writer, outlet: Outlet) {
    this.#writer = writer;
    this.#outlet = outlet;
  }

  /** Resolves when the caller has ended the call and every append is answered. Throws when the call breaks off. */
  async serve(requests: AsyncIterable<Buffer>): Promise<void> {
    for await (const request of requests) {
      this.#receive(decodeBatchAppend(request));
      await this.#writer.room();
      await this.#outlet.room();
    }
    await this.#outlet.until(() => this.#unanswered === 0);
    this.#outlet.end();
  }

  #receive(request: BatchAppendRequest): void {
    try {
      this.#collect(request);
    } catch (error) {
      if (!(error instanceof InvalidRequest)) throw error;
      this.#refuse(request, { kind: 'invalid', detail: error.message });
    }
  }

  #collect(request: BatchAppendRequest): void {
    const { correlationId, options, events, isFinal } = request;
    const key = keyOf(correlationId);
    if (options) this.#drafts.set(key, new Draft(options.target(), options.deadline));
    const draft = this.#drafts.get(key);
    if (!draft) return; // Later messages of an append that was already refused.
    const isLate = options !== undefined && options.deadline < Date.now();
    const fits = isLate || events().every((event) => draft.add(event));
    if (isLate) this.#refuse(request, { kind: 'timeout' });
    else if (!fits || (!isFinal && this.#unfinishedBytes() > UNFINISHED_BYTES))
      this.#refuse(request, { kind: 'append_too_large' });
    else if (isFinal) this.#submit(correlationId, draft);
  }

  #unfinishedBytes(): number {
    let size = 0;
    for (const draft of this.#drafts.values()) size += draft.size;
    return size;
  }

  #refuse({ correlationId }: BatchAppendRequest, fault: Fault): void {
    const key = keyOf(correlationId);
    const stream = this.#drafts.get(key)?.target.stream ?? '';
    this.#drafts.delete(key);
    this.#answer(correlationId, stream, fault);
  }

  #submit(correlationId: Buffer, draft: Draft): void {
    this.#drafts.delete(keyOf(correlationId));
    this.#unanswered++;
    this.#writer.submit(draft.write).then((outcome) => {
      this.#unanswered--;
      this.#answer(correlationId, draft.target.stream, outcome);
      this.#outlet.wake();
    });
  }

  #answer(correlationId: Buffer, stream: string, outcome: Outcome): void {
    if (outcome.kind === 'written') this.#outlet.post(batchAppended(correlationId, stream, outcome));
    // If the call ended normally, the client would wait for this answer forever.
    else if (endsBatch(outcome)) this.#outlet.fail(callError(outcome, stream));
    else this.#outlet.post(batchRefused(correlationId, stream, batchError(outcome, stream)));
  }
}

const keyOf = (correlationId: Buffer): string => correlationId.toString('latin1');
