/**
 * Answers BatchAppend: one long call carries all appends of a client, and each is answered as soon as it is durable.
 */
import { Draft } from './append.ts';
import { batchError, callError, type Fault } from './faults.ts';
import type { Outlet } from './outlet.ts';
import { batchAppended, batchRefused } from './replies.ts';
import { type BatchAppendRequest, decodeBatchAppend, InvalidRequest } from './requests.ts';
import type { Outcome } from './transaction.ts';
import type { Writer } from './writer.ts';

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
      this.#refuse(request.correlationId, { kind: 'invalid', detail: error.message });
    }
  }

  #collect({ correlationId, options, events, isFinal }: BatchAppendRequest): void {
    if (options) this.#drafts.set(correlationId, new Draft(options.target(), options.deadline));
    const draft = this.#drafts.get(correlationId);
    if (!draft) return; // Later messages of an append that was already refused.
    const fits = events().every((event) => draft.add(event));
    if (!fits) this.#refuse(correlationId, { kind: 'append_too_large' });
    else if (isFinal) this.#submit(correlationId, draft);
  }

  #refuse(correlationId: string, fault: Fault): void {
    const stream = this.#drafts.get(correlationId)?.target.stream ?? '';
    this.#drafts.delete(correlationId);
    this.#answer(correlationId, stream, fault);
  }

  #submit(correlationId: string, draft: Draft): void {
    this.#drafts.delete(correlationId);
    this.#unanswered++;
    this.#writer.submit(draft.write).then((outcome) => {
      this.#unanswered--;
      this.#answer(correlationId, draft.target.stream, outcome);
      this.#outlet.wake();
    });
  }

  #answer(correlationId: string, stream: string, outcome: Outcome): void {
    if (outcome.kind === 'written') this.#outlet.post(batchAppended(correlationId, stream, outcome));
    // If the call ended normally, the client would wait for this answer forever.
    else if (outcome.kind === 'unavailable') this.#outlet.fail(callError(outcome, stream));
    else this.#outlet.post(batchRefused(correlationId, stream, batchError(outcome, stream)));
  }
}
