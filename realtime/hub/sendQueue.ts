/** Frames on their way to one socket: handed over while the socket takes them, kept in order and bounded while not. */
import type { WebSocket } from 'uWebSockets.js';

/** Beyond this the socket's own buffer is left alone: a queued frame is shared by all its readers, a buffered one copied. */
const BUFFER_BYTES = 64 * 1024;

export interface OutboxOptions {
  readonly maxFrames: number;
  readonly maxBytes: number;
  /** Called with the number of frames that were handed over. */
  readonly onSent: (frames: number) => void;
  /** Called once when more than that is still waiting after the socket took what it could. */
  readonly onOverflow: () => void;
}

export interface Outbox {
  /** Adds a frame; `flush` sends it. Nothing happens once closed. */
  queue(frame: Uint8Array): void;
  /** Whether less than half of what may wait is waiting: what can come later should, when not. */
  hasRoom(): boolean;
  /** Hands over what the socket takes. Also called when the socket has drained. */
  flush(): void;
  /** Resolves when nothing is waiting any more, or once closed. */
  emptied(): Promise<void>;
  /** The socket is gone and must not be touched any more. */
  close(): void;
}

export const createOutbox = (
  socket: Pick<WebSocket<unknown>, 'send' | 'getBufferedAmount' | 'cork'>,
  options: OutboxOptions,
): Outbox => {
  let frames: Uint8Array[] = [];
  let bytes = 0;
  let open = true;
  let waiting: (() => void)[] = [];

  const release = () => {
    for (const resolve of waiting) resolve();
    waiting = [];
  };

  return {
    queue: (frame) => {
      if (!open) return;
      frames.push(frame);
      bytes += frame.byteLength;
    },
    hasRoom: () => frames.length < options.maxFrames / 2 && bytes < options.maxBytes / 2,
    flush: () => {
      if (!open || frames.length === 0) return;
      let sent = 0;
      socket.cork(() => {
        for (const frame of frames) {
          if (socket.getBufferedAmount() >= BUFFER_BYTES) break;
          socket.send(frame);
          bytes -= frame.byteLength;
          sent += 1;
        }
      });
      frames = frames.slice(sent);
      options.onSent(sent);
      if (frames.length === 0) release();
      else if (frames.length > options.maxFrames || bytes > options.maxBytes) options.onOverflow();
    },
    emptied: () => (open && frames.length > 0 ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve()),
    close: () => {
      open = false;
      frames = [];
      bytes = 0;
      release();
    },
  };
};
