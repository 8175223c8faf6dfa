/** One HTTP/2 connection to a service, opened when it is needed and replaced when it ends. Every wait has a limit. */
import { type ClientHttp2Session, connect, constants, type IncomingHttpHeaders } from 'node:http2';
import { withTimeout } from '../retry.ts';
import { type Answer, AnswerTooLarge } from './exchange.ts';

export interface Http2Client {
  /** @throws when there is no answer: it is not known whether the request was taken */
  post(path: string, headers: Readonly<Record<string, string>>, body: string): Promise<Answer>;
  close(): void;
}

export interface Http2Options {
  readonly connectMs?: number;
  readonly answerMs?: number;
}

const CONNECT_MS = 5_000;
const ANSWER_MS = 10_000;
/** A connection that nobody uses is closed. */
const IDLE_MS = 300_000;
/** No push service answers more than that. */
const MOST_BYTES = 16_384;

const opened = async (origin: string, connectMs: number): Promise<ClientHttp2Session> => {
  const session = connect(origin);
  session.on('error', () => undefined); // each request reports it, and `close` follows
  try {
    await withTimeout(
      new Promise<void>((resolve, reject) => {
        session.once('connect', () => resolve());
        session.once('error', reject);
      }),
      connectMs,
      `no connection to ${origin} within ${connectMs} ms`,
    );
  } catch (error) {
    session.destroy();
    throw error;
  }
  session.setTimeout(IDLE_MS, () => session.close());
  session.unref();
  return session;
};

const answerOf = (
  session: ClientHttp2Session,
  headers: Readonly<Record<string, string>>,
  body: string,
): { readonly answer: Promise<Answer>; cancel(): void } => {
  const stream = session.request(headers);
  const answer = new Promise<Answer>((resolve, reject) => {
    let got: IncomingHttpHeaders = {};
    const parts: Buffer[] = [];
    let size = 0;
    stream.on('response', (response) => {
      got = response;
    });
    stream.on('data', (part: Buffer) => {
      size += part.length;
      if (size > MOST_BYTES) reject(new AnswerTooLarge(MOST_BYTES));
      else parts.push(part);
    });
    stream.on('error', reject);
    stream.on('close', () => {
      const status = Number(got[':status'] ?? 0);
      if (status === 0) reject(new Error('the connection ended without an answer'));
      else resolve({ status, headers: got, body: Buffer.concat(parts) });
    });
  });
  stream.end(body);
  return { answer, cancel: () => stream.close(constants.NGHTTP2_CANCEL) };
};

/** @param origin `https://api.push.apple.com`; `http://` speaks HTTP/2 in the clear */
export const createHttp2Client = (
  origin: string,
  { connectMs = CONNECT_MS, answerMs = ANSWER_MS }: Http2Options = {},
): Http2Client => {
  let current: Promise<ClientHttp2Session> | undefined;

  /** Its streams end in peace; the next request opens another connection. */
  const retire = (session: Promise<ClientHttp2Session>): void => {
    if (current === session) current = undefined;
  };
  const open = (): Promise<ClientHttp2Session> => {
    if (current) return current;
    const opening = opened(origin, connectMs).then((session) => {
      session.once('goaway', () => retire(opening));
      session.once('close', () => retire(opening));
      return session;
    });
    opening.catch(() => retire(opening));
    current = opening;
    return opening;
  };

  return {
    post: async (path, headers, body) => {
      const opening = open();
      const session = await opening;
      const { answer, cancel } = answerOf(session, { ':method': 'POST', ':path': path, ...headers }, body);
      try {
        return await withTimeout(answer, answerMs, `no answer from ${origin} within ${answerMs} ms`);
      } catch (error) {
        answer.catch(() => undefined);
        cancel();
        // The connection may be dead without saying so.
        retire(opening);
        session.close();
        throw error;
      }
    },
    close: () => {
      const session = current;
      current = undefined;
      session?.then((open) => open.destroy()).catch(() => undefined);
    },
  };
};
