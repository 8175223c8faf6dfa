/** Keeps one connection to the hub open: opens it again when it is lost, and renews its token. */
import { closeCodes } from '../generated/realtime.ts';
import type { ClientFrame } from '../generated/types.ts';
import type { Session } from '../rest/session.ts';
import { backoffMs } from '../wait.ts';
import { type Connection, LOST, openConnection, type SocketConstructor } from './connection.ts';
import { type Frame, isChange, isEphemeral } from './types.ts';

export interface LinkOptions {
  /** `wss://host/ws`. */
  readonly url: string;
  readonly WebSocket: SocketConstructor;
  readonly session: Session;
  /** Between two attempts to connect, in milliseconds. */
  readonly longestWaitMs: number;
  readonly onReady: () => void;
  readonly onLost: () => void;
  readonly onFrame: (frame: Frame) => void;
  /** The link has ended: trying again in the same way is pointless. */
  readonly onRefused: (code: string, detail: string) => void;
}

export interface Link {
  /** Dropped while there is no connection. */
  send(frame: ClientFrame): void;
  /** There is a new token, perhaps of somebody else: the connection gets it at once. */
  use(token: string): void;
  stop(): void;
}

/** The hub has stopped, or was killed, and another one is there: all clients come back soon, but not at the same moment. */
const MOVE_MS = 1_000;
const FIRST_WAIT_MS = 300;
/** A connection that lasts so long shows that the failures before it are over. */
const LASTING_MS = 10_000;
/** Codes after which an attempt fails again that comes earlier. */
const LATER: Readonly<Record<number, number>> = {
  // Lost sockets of this account, which the hub still counts, are gone within a minute.
  [closeCodes.too_many_sockets]: 20_000,
  // A new socket may send as much as the first. What sent too much should not do it again at once.
  [closeCodes.rate_limited]: 20_000,
};
/** How long before its expiry a token is renewed. */
const EARLY_MS = 60_000;
/** The least time until a renewal: a wrong clock of this device must not lead to many. */
const SELDOM_MS = 30_000;
/** Between attempts to renew the token of an open connection. */
const RENEW_AGAIN_MS = 10_000;
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Codes after which another token helps, and how many tokens are tried one after the other. */
const OF_TOKEN: readonly number[] = [closeCodes.token_expired, closeCodes.bad_token];
const MOST_REFUSALS = 2;
/** How often an application that keeps the tokens itself is asked for another one, when the hub ends the one that it has. */
const MOST_ASKED = 6;

type Refusal = readonly [code: string, detail: string];
const NOBODY: Refusal = ['not_signed_in', 'Nobody is signed in. Sign in first.'];
const BAD_TOKEN: Refusal = ['bad_token', 'The access token is not accepted. Sign in again.'];
/** Codes after which the same client only fails again. */
const REASONS: Readonly<Record<number, Refusal>> = {
  [closeCodes.logged_out]: ['logged_out', 'The session has ended. Sign in again.'],
  [closeCodes.frame_too_large]: ['frame_too_large', 'The client sent a frame that is too large.'],
};

/** Milliseconds until the next attempt. `failures`: those before, since a connection that lasted. */
const delayAfter = (code: number, failures: number, longestMs: number): number =>
  (LATER[code] ?? 0) +
  (failures === 0 ? Math.random() * Math.min(MOVE_MS, longestMs) : backoffMs(failures, FIRST_WAIT_MS, longestMs));

/** Browsers say when the device is back online. */
const device = globalThis as Partial<Pick<EventTarget, 'addEventListener' | 'removeEventListener'>>;

/** How a connection ended. */
interface Closed {
  readonly code: number;
  readonly wasReady: boolean;
}

export const startLink = ({ url, WebSocket, session, longestWaitMs, ...events }: LinkOptions): Link => {
  let connection: Connection | undefined;
  let stopped = false;
  /** Ends what the link waits for. */
  let skip: () => void = () => undefined;
  /** The token of the connection. */
  let token: string | undefined;
  let renewal: ReturnType<typeof setTimeout> | undefined;
  /** Attempts that failed since a connection that lasted. */
  let failures = 0;

  /** Waits, unless it is skipped. */
  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(done, ms);
      skip = done;
    });

  const use = (next: string): void => {
    if (!connection || next === token) return;
    token = next;
    connection.send({ type: 'auth', token: next });
  };

  /** Gives the connection a new token later; again and again while there is none, until its own has expired. */
  const renewIn = (ms: number): void => {
    const renewed = connection;
    const renew = async () => {
      const next = await session.renew(token).catch(() => undefined);
      if (stopped) return;
      if (next !== undefined) use(next);
      else if (connection === renewed) renewIn(RENEW_AGAIN_MS);
    };
    clearTimeout(renewal);
    renewal = setTimeout(() => void renew(), Math.min(ms, LONGEST_TIMER_MS));
  };
  const renewBefore = (expiresAt: string): void =>
    renewIn(Math.max(Date.parse(expiresAt) - Date.now() - EARLY_MS, SELDOM_MS));

  const connectOnce = (access: string): Promise<Closed> =>
    new Promise((resolve) => {
      let readyAt: number | undefined;
      const closed = (code: number): void => {
        connection = undefined;
        skip = () => undefined;
        clearTimeout(renewal);
        if (readyAt !== undefined) {
          if (Date.now() - readyAt >= LASTING_MS) failures = 0;
          events.onLost();
        }
        resolve({ code, wasReady: readyAt !== undefined });
      };
      const leave = (code: number) => {
        connection?.close();
        closed(code);
      };
      const onFrame = (frame: Frame) => {
        if (!isChange(frame) && !isEphemeral(frame)) {
          if (frame.type === 'ready') renewBefore(frame.expires_at);
          // Somebody else has signed in, who needs a socket of their own.
          if (frame.type === 'error' && frame.code === 'other_account') return leave(LOST);
        }
        events.onFrame(frame);
        if (readyAt !== undefined || frame.type !== 'ready') return;
        readyAt = Date.now();
        events.onReady();
      };
      skip = () => leave(1000);
      token = access;
      connection = openConnection({ WebSocket, url, token: () => token ?? access, onFrame, onClosed: closed });
    });

  /** Waits for another token than the one that was refused. False: there is none. While that cannot be known, it waits on. */
  const hasAnother = async (code: number): Promise<boolean> => {
    let left = code === closeCodes.token_expired ? MOST_ASKED : 1;
    for (let tried = 0; !stopped; tried++) {
      const next = await session.renew(token).catch(() => null); // null: not known now
      if (next) return true;
      if (next === undefined) {
        left -= 1;
        const isSignedIn = (await session.token().catch(() => null)) !== undefined;
        if (left === 0 || !isSignedIn) return false;
      }
      if (!stopped) await pause(backoffMs(tried, FIRST_WAIT_MS, longestWaitMs));
    }
    return false;
  };

  const run = async (): Promise<void> => {
    /** Tokens that were refused one after the other. */
    let refusals = 0;
    while (!stopped) {
      const access = await session.token().catch(() => null); // null: not known now
      if (stopped) return;
      if (access === undefined) return events.onRefused(...NOBODY);
      const { code, wasReady } = access === null ? { code: LOST, wasReady: false } : await connectOnce(access);
      if (stopped) return;
      const refusal = REASONS[code];
      if (refusal) return events.onRefused(...refusal);
      let delayMs = delayAfter(code, failures, longestWaitMs);
      if (OF_TOKEN.includes(code)) {
        refusals = wasReady ? 1 : refusals + 1;
        const isRenewed = refusals <= MOST_REFUSALS && (await hasAnother(code));
        if (stopped) return;
        if (!isRenewed) return events.onRefused(...BAD_TOKEN);
        if (failures < 2) delayMs = 0;
      } else refusals = 0;
      failures += 1;
      await pause(delayMs);
    }
  };
  /** The device is back online: what failed before says nothing any more. */
  const back = (): void => {
    failures = 0;
    if (connection) connection.check();
    else skip();
  };
  device.addEventListener?.('online', back);
  run()
    .catch((error: unknown) => events.onRefused('failed', String(error)))
    .finally(() => device.removeEventListener?.('online', back));

  return {
    send: (frame) => connection?.send(frame),
    use,
    stop: () => {
      stopped = true;
      skip();
    },
  };
};
