/** The frames that wait for one socket, in order and bounded. They are handed over as fast as the socket takes them. */
import type { TransportSocket } from './transport.ts';

/** More is not put into the socket's own buffer: a queued frame is shared by all its subscribers, a buffered one is a copy. */
const BUFFER_BYTES = 64 * 1024;

export interface SendQueueOptions {
  readonly maxFrames: number;
  readonly maxBytes: number;
  /** Called with the number of frames that were handed over. */
  readonly onSent: (frames: number) => void;
  /** Called when more than this still waits after the socket took what it could. */
  readonly onOverflow: () => void;
}

export interface SendQueue {
  /** Adds a frame; `flush` sends it. Nothing happens once closed. */
  queue(frame: Uint8Array): void;
  /** Whether the queue is less than half full. Otherwise, whatever can be sent later should be. */
  hasRoom(): boolean;
  /** Hands over what the socket takes. To be called again when the socket has drained. */
  flush(): void;
  /** Resolves when the queue is empty or closed. */
  emptied(): Promise<void>;
  /** Drops all frames: the socket is gone and must not be used any more. */
  close(): void;
}

export const createSendQueue = (
  socket: Pick<TransportSocket, 'send' | 'bufferedBytes' | 'cork'>,
  options: SendQueueOptions,
): SendQueue => {
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
          if (socket.bufferedBytes() >= BUFFER_BYTES) break;
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
