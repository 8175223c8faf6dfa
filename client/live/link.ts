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
  stop(): void;
}

/** The hub stops and another one is there: all clients come back soon, but not at the same moment. */
const MOVE_MS = 1_000;
const FIRST_WAIT_MS = 300;
/** Lost sockets of this account, which the hub still counts, are gone within a minute. */
const CROWDED_MS = 20_000;
/** How long before its expiry a token is renewed. */
const EARLY_MS = 60_000;
/** The least time until a renewal: a wrong clock of this device must not lead to many. */
const SELDOM_MS = 30_000;
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Codes after which another token helps, and how many tokens are tried one after the other. */
const OF_TOKEN: readonly number[] = [closeCodes.token_expired, closeCodes.bad_token];
const MOST_REFUSALS = 2;

type Refusal = readonly [code: string, detail: string];
const NOBODY: Refusal = ['not_signed_in', 'Nobody is signed in. Sign in first.'];
const BAD_TOKEN: Refusal = ['bad_token', 'The access token is not accepted. Sign in again.'];
/** Codes after which the same client only fails again. */
const REASONS: Readonly<Record<number, Refusal>> = {
  [closeCodes.logged_out]: ['logged_out', 'The session has ended. Sign in again.'],
  [closeCodes.rate_limited]: ['rate_limited', 'The client sent too many frames.'],
  [closeCodes.frame_too_large]: ['frame_too_large', 'The client sent a frame that is too large.'],
};

/** Milliseconds until the next attempt. `failures`: attempts since the last connection. */
const delayAfter = (code: number, failures: number, longestMs: number): number => {
  if (code === closeCodes.going_away && failures === 0) return Math.random() * MOVE_MS;
  const ms = backoffMs(failures, FIRST_WAIT_MS, longestMs);
  return code === closeCodes.too_many_sockets ? CROWDED_MS + ms : ms;
};

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

  /** Waits, unless the device comes back online before. */
  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        device.removeEventListener?.('online', done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      device.addEventListener?.('online', done);
      skip = done;
    });

  /** Gives the connection a new token before its own expires. Should that fail, it is closed and opened with a new one. */
  const renewBefore = (expiresAt: string): void => {
    const renew = async () => {
      const next = await session.renew(token).catch(() => undefined);
      if (stopped || next === undefined) return;
      token = next;
      connection?.send({ type: 'auth', token: next });
    };
    const ms = Math.max(Date.parse(expiresAt) - Date.now() - EARLY_MS, SELDOM_MS);
    clearTimeout(renewal);
    renewal = setTimeout(() => void renew(), Math.min(ms, LONGEST_TIMER_MS));
  };

  const connectOnce = (access: string): Promise<Closed> =>
    new Promise((resolve) => {
      let wasReady = false;
      const closed = (code: number): void => {
        connection = undefined;
        skip = () => undefined;
        clearTimeout(renewal);
        if (wasReady) events.onLost();
        resolve({ code, wasReady });
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
        if (wasReady || frame.type !== 'ready') return;
        wasReady = true;
        events.onReady();
      };
      skip = () => leave(1000);
      token = access;
      connection = openConnection({ WebSocket, url, token: () => token ?? access, onFrame, onClosed: closed });
    });

  /** Whether there is another token than the one that was refused; undefined when that cannot be known now. */
  const hasAnother = async (): Promise<boolean | undefined> => {
    try {
      return (await session.renew(token)) !== undefined;
    } catch {
      return undefined;
    }
  };

  const run = async (): Promise<void> => {
    /** Attempts since the last connection, and those of them that ended because of the token. */
    let failures = 0;
    let refusals = 0;
    while (!stopped) {
      const access = await session.token().catch(() => null); // null: not known now
      if (stopped) return;
      if (access === undefined) return events.onRefused(...NOBODY);
      const { code, wasReady } = access === null ? { code: LOST, wasReady: false } : await connectOnce(access);
      if (stopped) return;
      failures = wasReady ? 0 : failures + 1;
      if (!OF_TOKEN.includes(code)) {
        const refusal = REASONS[code];
        if (refusal) return events.onRefused(...refusal);
        refusals = 0;
        await pause(delayAfter(code, failures, longestWaitMs));
        continue;
      }
      refusals = wasReady ? 1 : refusals + 1;
      const renewed = await hasAnother();
      if (stopped) return;
      if (renewed === false || refusals > MOST_REFUSALS) return events.onRefused(...BAD_TOKEN);
      await pause(renewed ? 0 : delayAfter(code, failures, longestWaitMs));
    }
  };
  run().catch((error: unknown) => events.onRefused('failed', String(error)));

  return {
    send: (frame) => connection?.send(frame),
    stop: () => {
      stopped = true;
      skip();
    },
  };
};
