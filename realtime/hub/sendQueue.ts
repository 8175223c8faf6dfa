/** The frames that wait for one socket, in order and bounded. They are handed over as fast as the socket takes them. */
import type { Limits } from './limits.ts';
import type { TransportSocket } from './transport.ts';

/** More is not put into the socket's own buffer: a queued frame is shared by all its subscribers, a buffered one is a copy. */
const BUFFER_BYTES = 64 * 1024;

/** Whose frames these are. */
export interface Sender {
  readonly limits: Pick<Limits, 'queueFrames' | 'queueBytes'>;
  /** Called with the number of frames that were handed over. */
  sent(frames: number): void;
  /** Called when more than the limits still waits after the socket took what it could. */
  overflowed(): void;
}

/** A class, like all that each socket has: an object of closures takes several times its memory. */
export class SendQueue {
  readonly #socket: Omit<TransportSocket, 'end'>;
  readonly #sender: Sender;
  /** Nothing, mostly: most sockets are idle. */
  #frames: Uint8Array[] | undefined;
  #bytes = 0;
  #open = true;
  #waiting: (() => void)[] | undefined;

  constructor(socket: Omit<TransportSocket, 'end'>, sender: Sender) {
    this.#socket = socket;
    this.#sender = sender;
  }

  /** Adds a frame; `flush` sends it. Nothing happens once closed. */
  queue(frame: Uint8Array): void {
    if (!this.#open) return;
    this.#frames ??= [];
    this.#frames.push(frame);
    this.#bytes += frame.byteLength;
  }

  /** Whether the queue is less than half full. Otherwise, whatever can be sent later should be. */
  hasRoom(): boolean {
    const { queueFrames, queueBytes } = this.#sender.limits;
    return (this.#frames?.length ?? 0) < queueFrames / 2 && this.#bytes < queueBytes / 2;
  }

  /** Hands over what the socket takes. To be called again when the socket has drained. */
  flush(): void {
    const frames = this.#frames;
    if (!this.#open || !frames) return;
    let sent = 0;
    this.#socket.cork(() => {
      for (const frame of frames) {
        if (this.#socket.getBufferedAmount() >= BUFFER_BYTES) break;
        this.#socket.send(frame);
        this.#bytes -= frame.byteLength;
        sent += 1;
      }
    });
    this.#frames = sent < frames.length ? frames.slice(sent) : undefined;
    this.#sender.sent(sent);
    if (!this.#frames) this.#release();
    else if (this.#frames.length > this.#sender.limits.queueFrames || this.#bytes > this.#sender.limits.queueBytes)
      this.#sender.overflowed();
  }

  /** Whether nothing waits here and the socket takes more: what is published to it now does not pile up. */
  isClear(): boolean {
    return this.#open && !this.#frames && this.#socket.getBufferedAmount() < BUFFER_BYTES;
  }

  /** The socket also gets what is published under this topic, until it leaves. */
  join(topic: string): void {
    if (this.#open) this.#socket.subscribe(topic);
  }

  leave(topic: string): void {
    if (this.#open) this.#socket.unsubscribe(topic);
  }

  /** Resolves when the queue is empty or closed. */
  emptied(): Promise<void> {
    if (!this.#open || !this.#frames) return Promise.resolve();
    return new Promise((resolve) => {
      this.#waiting ??= [];
      this.#waiting.push(resolve);
    });
  }

  /** Drops all frames: the socket is gone and must not be used any more. */
  close(): void {
    this.#open = false;
    this.#frames = undefined;
    this.#bytes = 0;
    this.#release();
  }

  #release(): void {
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    for (const resolve of waiting) resolve();
  }
}
