/**
 * Many WebSocket clients in one process. They speak just enough of the protocol to connect and to count frames, so that
 * they take less CPU than what is measured.
 */
import { connect } from 'node:net';
import { serveProgram } from '../program.ts';

export interface ClientsOptions {
  readonly port: number;
  readonly path: string;
  /** Each client has the next one, from the start again after the last. */
  readonly tokens: readonly string[];
  /** Sent by each client when it is connected. */
  readonly hello?: string;
  /** Frames that each client gets before the measurement. */
  readonly greeted: number;
  /** The address from which they connect: the ports of one address run out. */
  readonly from?: string;
}

const HEAD_END = Buffer.from('\r\n\r\n');
const AT_ONCE = 50;
const TEXT = 1;
const PING = 9;
/** A server closes a socket that does not answer its pings. Those of uWebSockets.js are empty, and so is this answer. */
const PONG = Buffer.from([0x8a, 0x80, 0, 0, 0, 0]);

/** A masked text frame; its mask is zero. */
const frameOf = (text: string): Buffer => {
  const payload = Buffer.from(text);
  const { length } = payload;
  const header = length < 126 ? [0x81, 0x80 | length] : [0x81, 0xfe, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([...header, 0, 0, 0, 0]), payload]);
};

/** Counts the text frames in a stream of bytes that is cut anywhere. Frames are shorter than 64 KiB. */
const createCounter = (onPing: () => void) => {
  let missing = 0;
  let header: number[] = [];
  return (bytes: Buffer): number => {
    let count = 0;
    for (let at = 0; at < bytes.length; ) {
      if (missing > 0) {
        const taken = Math.min(missing, bytes.length - at);
        missing -= taken;
        at += taken;
        continue;
      }
      header.push(bytes[at] ?? 0);
      at += 1;
      const [first = 0, second = 0, third = 0, fourth = 0] = header;
      if (header.length < 2 || (second === 126 && header.length < 4)) continue;
      missing = second === 126 ? third * 256 + fourth : second;
      if ((first & 15) === TEXT) count += 1;
      if ((first & 15) === PING) onPing();
      header = [];
    }
    return count;
  };
};

serveProgram(async ({ port, path, tokens, hello, greeted, from }: ClientsOptions) => {
  let opened = 0;
  let frames = 0;
  let awaited = Number.POSITIVE_INFINITY;
  let arrived = (): void => undefined;
  let failed: ((error: Error) => void) | undefined;
  const add = (count: number): void => {
    frames += count;
    if (frames >= awaited) arrived();
  };
  const untilFrames = (count: number): Promise<void> =>
    new Promise((resolve, reject) => {
      [awaited, arrived, failed] = [count, resolve, reject];
      add(0);
    });

  const open = (n: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true, ...(from && { localAddress: from }) });
      const counted = createCounter(() => socket.write(PONG));
      const token = tokens.length > 0 ? `Authorization: Bearer ${tokens[n % tokens.length]}\r\n` : '';
      let head = Buffer.alloc(0);
      const onHead = (bytes: Buffer) => {
        head = Buffer.concat([head, bytes]);
        const end = head.indexOf(HEAD_END);
        if (end < 0) return;
        if (!head.toString('latin1').startsWith('HTTP/1.1 101')) return reject(new Error(head.toString()));
        socket.off('data', onHead).on('data', (more: Buffer) => add(counted(more)));
        add(counted(head.subarray(end + HEAD_END.length)));
        if (hello !== undefined) socket.write(frameOf(hello));
        resolve();
      };
      socket.on('data', onHead).on('error', reject);
      socket.on('close', () => failed?.(new Error('the server closed a socket')));
      socket.write(
        `GET ${path} HTTP/1.1\r\nHost: bench\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n` +
          `Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n${token}\r\n`,
      );
    });

  /** Opens so many more, or waits until all together have got so many frames. */
  return async (message: { open: number } | { frames: number }): Promise<void> => {
    if ('frames' in message) return untilFrames(message.frames);
    const [first, end] = [opened, opened + message.open];
    opened = end;
    const worker = async (begin: number) => {
      for (let n = begin; n < end; n += AT_ONCE) await open(n);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, (_, n) => worker(first + n)));
    await untilFrames(end * greeted);
  };
});
