/**
 * The load generator: keep-alive connections that each send a request when the last one is answered. It writes prepared
 * bytes and reads no more of an answer than it needs to check it, so that it takes less CPU than what it measures.
 */
import { connect, type Socket } from 'node:net';
import { serveProgram } from './program.ts';
import type { Work } from './rounds.ts';

export interface Request {
  /** The request line: `GET /health`. */
  readonly line: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface LoadOptions {
  readonly url: string;
  readonly connections: number;
  /** Sent in turn; each at most once when `once` is set, and then the work ends with the last. */
  readonly requests: readonly Request[];
  readonly once?: boolean;
  /** Eight characters of the bodies that become the number of the request, in hexadecimal: so that no two are the same. */
  readonly mark?: string;
  /** Requests a second over all connections, whatever they take: times count from when a request was due. */
  readonly perSecond?: number;
  /**
   * Never sleeps while it waits for answers. Where processors are virtual, waking the generator cost the server a third of
   * its CPU time, which a client on another machine does not. It takes a whole processor, so the server must need only one.
   */
  readonly awake?: boolean;
  /** Every answer has this status. */
  readonly status: number;
  /** Every answer has exactly this body; otherwise it must not be empty. */
  readonly body?: string;
}

const bytesOf = (host: string, { line, headers = {}, body }: Request): Buffer => {
  const all = {
    host,
    ...headers,
    ...(body !== undefined && {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
    }),
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return Buffer.from([`${line} HTTP/1.1`, ...lines, '', body ?? ''].join('\r\n'));
};

interface Answer {
  readonly status: number;
  readonly body: Buffer;
}

const HEAD_END = Buffer.from('\r\n\r\n');

/** The answer at the start of the bytes; undefined when more bytes are needed. Answers must say their length. */
const parse = (bytes: Buffer): Answer | undefined => {
  const end = bytes.indexOf(HEAD_END);
  if (end < 0) return undefined;
  const head = bytes.toString('latin1', 0, end);
  const status = Number(head.slice(9, 12));
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  if (length === undefined) throw new Error(`an answer has no content-length: ${head}`);
  const total = end + 4 + Number(length);
  return bytes.length < total ? undefined : { status, body: bytes.subarray(end + 4, total) };
};

/** One connection; `exchange` sends a request and resolves with the whole answer. */
const open = async (host: string, port: number) => {
  const socket: Socket = connect({ host, port, noDelay: true });
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  let received: Buffer[] = [];
  let done: ((answer: Answer) => void) | undefined;
  let failed: ((error: Error) => void) | undefined;
  socket.on('data', (chunk: Buffer) => {
    received.push(chunk);
    const bytes = received.length === 1 ? chunk : Buffer.concat(received);
    try {
      const answer = parse(bytes);
      received = answer ? [] : [bytes];
      if (answer) done?.(answer);
    } catch (error) {
      failed?.(error as Error);
    }
  });
  socket.on('error', (error) => failed?.(error));
  socket.on('close', () => failed?.(new Error('the server closed a connection')));
  return {
    exchange: (request: Buffer): Promise<Answer> =>
      new Promise((resolve, reject) => {
        [done, failed] = [resolve, reject];
        socket.write(request);
      }),
    close: () => {
      failed = undefined;
      socket.destroy();
    },
  };
};

/** The part of the requests that may be refused. */
const MOST_REFUSED = 0.02;

const percentile = (sorted: Float64Array, part: number): number =>
  sorted[Math.floor(sorted.length * part)] ?? Number.NaN;

/** Where a mark stands in a request. */
const placesOf = (bytes: Buffer, mark: string | undefined): number[] => {
  const places: number[] = [];
  if (mark === undefined) return places;
  for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, at + mark.length)) places.push(at);
  return places;
};

/** Keeps this process from sleeping. @returns a function that lets it sleep again */
const stayAwake = (): (() => void) => {
  let next: NodeJS.Immediate;
  const turn = (): void => {
    next = setImmediate(turn);
  };
  turn();
  return () => clearImmediate(next);
};

const sleepUntil = async (at: number): Promise<void> => {
  const waitMs = at - performance.now();
  if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
};

serveProgram(async (options: LoadOptions) => {
  const { url, connections, requests, once = false, mark, perSecond, awake, status, body } = options;
  const { hostname, port, host } = new URL(url);
  const prepared = requests.map((request) => bytesOf(host, request));
  const places = prepared.map((bytes) => placesOf(bytes, mark));
  const expected = body === undefined ? undefined : Buffer.from(body);
  let next = 0;
  const nextRequest = (): Buffer => {
    const [n, which] = [next, next % prepared.length];
    next += 1;
    const bytes = prepared[which] as Buffer;
    if (mark === undefined) return bytes;
    const copy = Buffer.from(bytes);
    const number = n.toString(16).padStart(mark.length, '0');
    for (const place of places[which] ?? []) copy.write(number, place, 'latin1');
    return copy;
  };

  const times: number[] = [];
  let refused = 0;
  /** Whether it counts. An overloaded machine may refuse a few requests (503), as it is meant to. */
  const check = (answer: Answer): boolean => {
    if (answer.status === 503 && status !== 503 && ++refused <= MOST_REFUSED * (times.length + connections))
      return false;
    const isRight =
      answer.status === status && (expected === undefined ? answer.body.length > 0 : expected.equals(answer.body));
    if (!isRight) throw new Error(`wrong answer: ${answer.status} ${answer.body.toString().slice(0, 1_000)}`);
    return true;
  };

  return async ({ seconds }: { seconds: number }): Promise<Work> => {
    const sockets = await Promise.all(Array.from({ length: connections }, () => open(hostname, Number(port))));
    times.length = 0;
    refused = 0;
    const begun = performance.now();
    const until = begun + seconds * 1_000;
    let started = 0;
    const drive = async ({ exchange, close }: (typeof sockets)[number]) => {
      for (let now = performance.now(); now < until; ) {
        if (once && next >= prepared.length) break;
        const due = perSecond === undefined ? now : begun + (started++ * 1_000) / perSecond;
        if (due >= until) break;
        const request = nextRequest();
        await sleepUntil(due);
        const counts = check(await exchange(request));
        now = performance.now();
        if (counts) times.push(now - due);
      }
      close();
    };
    const sleep = awake ? stayAwake() : undefined;
    await Promise.all(sockets.map(drive)).finally(sleep);
    const seconds_ = (performance.now() - begun) / 1_000;
    const sorted = Float64Array.from(times).sort();
    return { operations: times.length, seconds: seconds_, p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99) };
  };
});
