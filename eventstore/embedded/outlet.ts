/** One streaming call, seen from the side that sends: whether it is still open, and when it can take more. */
import type { EventEmitter } from 'node:events';
import type { Writable } from 'node:stream';
import type { CallError } from './faults.ts';

/** How much of a call may wait to be sent. The stream itself counts messages, which can have a megabyte each. */
const WAITING_BYTES = 512 * 1024;

export class Outlet {
  readonly #call: Writable & EventEmitter;
  #resume: () => void = () => undefined;
  #waitingBytes = 0;

  constructor(call: Writable & EventEmitter) {
    this.#call = call;
    call.on('drain', () => this.wake());
    call.on('close', () => this.wake());
  }

  get open(): boolean {
    return !this.#call.destroyed && !this.#call.writableEnded;
  }

  /** Makes `until` check its condition again. */
  wake(): void {
    this.#resume();
  }

  /** Resolves when the condition holds or the call is over. One waiter at a time. */
  async until(condition: () => boolean): Promise<void> {
    while (this.open && !condition()) {
      await new Promise<void>((resolve) => {
        this.#resume = resolve;
      });
    }
  }

  /** Resolves when there is room for the next message, so that a slow reader delays only its own call. */
  async send(message: Buffer): Promise<void> {
    this.post(message);
    await this.room();
  }

  async room(): Promise<void> {
    await this.until(() => this.#waitingBytes < WAITING_BYTES && !this.#call.writableNeedDrain);
  }

  /** Sends without waiting for room. */
  post(message: Buffer): void {
    if (!this.open) return;
    this.#waitingBytes += message.length;
    this.#call.write(message, () => {
      this.#waitingBytes -= message.length;
      if (this.#waitingBytes < WAITING_BYTES) this.wake();
    });
  }

  end(): void {
    if (this.open) this.#call.end();
  }

  fail(error: CallError): void {
    if (this.open) this.#call.emit('error', error);
  }
}
