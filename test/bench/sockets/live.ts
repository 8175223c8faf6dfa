/**
 * Requests at a fixed rate, whatever the answers take. Each is over when the sockets that listen have what it made. Between
 * the rounds they go on.
 */
import { Agent, request } from 'node:http';
import { WebSocket } from 'ws';
import { concurrentEach } from '../../../infra/concurrentEach.ts';
import { serveProgram } from '../program.ts';
import type { Work } from '../rounds.ts';

export interface LiveOptions {
  readonly api: string;
  readonly realtime: string;
  readonly listeners: readonly { readonly token: string; readonly channel: string }[];
  /** The path that they are posted to. */
  readonly path: string;
  /** Each is sent once. */
  readonly requests: readonly { readonly token: string; readonly body: string }[];
  /** Requests a second. */
  readonly rate: number;
  /** The type of the change of what was made, and how many listeners get it. */
  readonly awaited: { readonly type: string; readonly copies: number };
}

const LATE_MS = 10_000;
/** A hub takes 1,000 sockets from one address. Linux has more than one for itself. */
const FROM_ONE_ADDRESS = 500;
const OPENED_AT_ONCE = 100;

serveProgram(async ({ api, realtime, listeners, path, requests, rate, awaited }: LiveOptions) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  /** By the id of what was made: how many listeners have it, and the request that waits for the last one of them. */
  const arrived = new Map<string, { copies: number; at: number; tell?: (at: number) => void }>();
  const arrivals = (id: string) => {
    const known = arrived.get(id) ?? { copies: 0, at: 0 };
    arrived.set(id, known);
    return known;
  };

  const listen = async ({ token, channel }: (typeof listeners)[number], n: number): Promise<void> => {
    const localAddress = `127.0.0.${1 + Math.floor(n / FROM_ONE_ADDRESS)}`;
    const socket = new WebSocket(`${realtime}/ws`, { localAddress, headers: { authorization: `Bearer ${token}` } });
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
    const subscribed = new Promise<void>((resolve, reject) => {
      socket.on('close', (code) => reject(new Error(`the hub closed a socket with ${code}`)));
      socket.on('message', (bytes) => {
        const at = performance.now();
        const frame = JSON.parse(String(bytes)) as { type: string; data?: { id: string } };
        if (frame.type === 'subscribed') resolve();
        if (frame.type === 'error') reject(new Error(`${channel}: ${bytes}`));
        if (frame.type !== awaited.type || !frame.data) return;
        const made = arrivals(frame.data.id);
        made.copies += 1;
        made.at = at;
        if (made.copies === awaited.copies) made.tell?.(at);
      });
    });
    socket.send(JSON.stringify({ type: 'subscribe', channel }));
    await subscribed;
  };
  await concurrentEach(listeners.entries(), OPENED_AT_ONCE, ([n, listener]) => listen(listener, n));

  const post = ({ token, body }: (typeof requests)[number]): Promise<string> =>
    new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const sent = request(`${api}${path}`, { method: 'POST', agent, headers }, async (response) => {
        let text = '';
        for await (const chunk of response) text += chunk;
        if (response.statusCode === 201) resolve((JSON.parse(text) as { id: string }).id);
        else reject(new Error(`${response.statusCode} ${text}`));
      });
      sent.on('error', reject).end(body);
    });

  /** When the last listener has what was made. */
  const seen = (id: string): Promise<number> =>
    new Promise((resolve, reject) => {
      const made = arrivals(id);
      const tell = (at: number): void => {
        clearTimeout(late);
        arrived.delete(id);
        resolve(at);
      };
      const late = setTimeout(() => reject(new Error(`the change of ${id} did not arrive in ${LATE_MS} ms`)), LATE_MS);
      if (made.copies === awaited.copies) tell(made.at);
      else made.tell = tell;
    });

  let fail: (error: unknown) => void = () => undefined;
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  failed.catch(() => undefined); // told to the round that is measured, or the next one

  /** Milliseconds of the requests that a round measures; the others only keep the rate. */
  let times: Promise<number>[] | undefined;
  const sendAtRate = async (): Promise<never> => {
    const begun = performance.now();
    for (let n = 0; ; n += 1) {
      const next = requests[n];
      if (next === undefined) throw new Error(`all ${requests.length} prepared requests were sent`);
      const from = performance.now();
      const took = post(next)
        .then(seen)
        .then((at) => at - from);
      took.catch(fail);
      times?.push(took);
      const wait = begun + ((n + 1) * 1_000) / rate - performance.now();
      if (wait > 1) await new Promise((resolve) => setTimeout(resolve, wait));
    }
  };
  let isSending = false;

  return async ({ seconds }: { seconds: number }): Promise<Work> => {
    // From the first round to the end: a system that stood still begins anew with cold caches.
    if (!isSending) sendAtRate().catch(fail);
    isSending = true;
    const begun = performance.now();
    times = [];
    const measured = times;
    await Promise.race([failed, new Promise((resolve) => setTimeout(resolve, seconds * 1_000))]);
    times = undefined;
    const took = (performance.now() - begun) / 1_000;
    const sorted = (await Promise.race([failed, Promise.all(measured)])).toSorted((a, b) => a - b);
    const percentile = (part: number) => sorted[Math.floor(sorted.length * part)] ?? Number.NaN;
    return { operations: sorted.length, seconds: took, p50: percentile(0.5), p99: percentile(0.99) };
  };
});
