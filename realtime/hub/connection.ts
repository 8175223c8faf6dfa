/** One open socket: its account, its frames and its subscriptions, until it closes. */
import type { Logger } from '../../infra/log.ts';
import { metrics } from '../../infra/metrics.ts';
import { createBackoff, sleep } from '../../infra/retry.ts';
import type { SessionCheck } from '../../infra/sessions.ts';
import { type Access, TokenRefused } from '../../infra/tokens.ts';
import type { ChangeLog } from './changeLog.ts';
import type { FindChannel } from './channels.ts';
import type { ConnectionRegistry } from './connectionRegistry.ts';
import type { Feed } from './feed.ts';
import { createAllowance, type Limits } from './limits.ts';
import {
  type ClientFrame,
  type CloseCode,
  closeCodes,
  encode,
  parseFrame,
  Refused,
  type ServerFrame,
} from './protocol.ts';
import { createSendQueue } from './sendQueue.ts';
import { createSubscriptionSet } from './subscriptionSet.ts';
import type { TransportSocket } from './transport.ts';

/** What all sockets of a hub share. */
export interface Hub {
  readonly findChannel: FindChannel;
  /** @throws TokenRefused when the token is bad; another error when it cannot be checked now */
  readonly authenticate: (token: string) => Promise<Access>;
  readonly checkSession: (access: Access) => Promise<SessionCheck['state']>;
  readonly feed: Feed;
  readonly changeLog: ChangeLog;
  readonly registry: ConnectionRegistry<Connection>;
  readonly limits: Limits;
  readonly log: Logger;
}

export interface Connection {
  /** The socket is open. `token` when its upgrade had one; otherwise an `auth` frame must follow in time. */
  opened(token: string | undefined): void;
  /** One frame of the client. Never throws. */
  receive(message: Uint8Array, isBinary: boolean): void;
  /** The socket can take more. */
  drained(): void;
  /** Checks again whether the session is still open, because sessions of this account have ended. */
  recheck(): Promise<void>;
  /** Closes the socket with the code and the reason of `why`. */
  close(why: CloseCode): void;
  /** The socket is gone. */
  ended(): void;
}

/** @throws Refused for a frame that is not of the protocol */
const readFrame = (message: Uint8Array, isBinary: boolean): ClientFrame => {
  if (isBinary) throw new Refused('bad_frame', 'Binary frames are not accepted. Send JSON as text frames.');
  return parseFrame(Buffer.from(message.buffer, message.byteOffset, message.byteLength).toString());
};

/** A replaced token is like an expired one: the client fetches a new one and resumes. */
const closeCodeOf = (reason: TokenRefused['reason']): CloseCode => {
  if (reason === 'ended') return 'logged_out';
  return reason === 'replaced' ? 'token_expired' : 'bad_token';
};

const RECHECKS = 4;
/** The longest a timer can wait. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export const createConnection = (socket: TransportSocket, hub: Hub): Connection => {
  const { limits, log } = hub;
  const allowance = createAllowance(limits.frameBurst, limits.framesPerSecond);
  let access: Access | undefined;
  let open = true;
  let checking = false;
  let early: ClientFrame[] = [];
  let deadline: NodeJS.Timeout | undefined;

  const sendQueue = createSendQueue(socket, {
    maxFrames: limits.queueFrames,
    maxBytes: limits.queueBytes,
    onSent: (frames) => metrics.hubDelivered.inc(frames),
    onOverflow: () => close('slow_consumer'),
  });
  const reply = (frame: ServerFrame): void => {
    sendQueue.queue(encode(frame));
    sendQueue.flush();
  };

  const ended = (): void => {
    if (!open) return;
    open = false;
    clearTimeout(deadline);
    sendQueue.close();
    subscriptions.stop();
    if (access) hub.registry.leave(access.accountId, connection);
  };
  const close = (why: CloseCode): void => {
    if (!open) return;
    ended();
    metrics.hubDropped.inc({ reason: why });
    socket.end(closeCodes[why].code, closeCodes[why].reason);
  };
  const closeAt = (at: number, why: CloseCode): void => {
    clearTimeout(deadline);
    deadline = setTimeout(() => close(why), Math.min(Math.max(0, at - Date.now()), MAX_TIMER_MS));
  };

  /** Answers a frame that was refused. */
  const refuse = (error: unknown, id: string | undefined) => {
    if (error instanceof Refused)
      return reply({ type: 'error', code: error.code, detail: error.message, id: id ?? error.id });
    log.error({ err: error }, 'cannot handle a frame');
    close('internal');
  };

  const subscriptions = createSubscriptionSet(hub, {
    sendQueue,
    reply,
    onFailure: (err) => {
      log.warn({ err }, 'cannot read the changes of a channel');
      close('unavailable');
    },
  });

  /** Gives the socket these rights. Ends the subscriptions that a new role does not allow. */
  const enter = (next: Access, id?: string) => {
    if (!access && !hub.registry.join(next.accountId, connection)) return close('too_many_sockets');
    access = next;
    closeAt(next.expiresAt, 'token_expired');
    const expires_at = new Date(next.expiresAt).toISOString();
    reply({ type: 'ready', user_id: next.accountId, role: next.role, expires_at, id });
    subscriptions.keepAllowed(next);
  };

  const authFailed = (error: unknown, id: string | undefined) => {
    if (error instanceof TokenRefused) {
      if (access) return refuse(new Refused('bad_token', error.message), id);
      return close(closeCodeOf(error.reason));
    }
    log.warn({ err: error }, 'cannot check a token');
    close('unavailable');
  };

  const auth = async (token: string, id: string | undefined): Promise<void> => {
    checking = true;
    try {
      const next = await hub.authenticate(token);
      if (access && access.accountId !== next.accountId) refuse(new Refused('other_account'), id);
      else if (open) enter(next, id);
    } catch (error) {
      authFailed(error, id);
    }
    checking = false;
    const frames = early;
    early = [];
    for (const frame of frames) take(frame);
  };

  const handle = (frame: ClientFrame) => {
    switch (frame.type) {
      case 'ping':
        return reply({ type: 'pong', id: frame.id });
      case 'subscribe':
        if (!access) throw new Refused('not_authenticated');
        return subscriptions.add(frame, access);
      case 'unsubscribe':
        return subscriptions.remove(frame.channel, frame.id);
      case 'auth':
        void auth(frame.token, frame.id);
    }
  };

  const attempt = (frame: ClientFrame): void => {
    try {
      handle(frame);
    } catch (error) {
      refuse(error, frame.id);
    }
  };

  /** Frames behind an `auth` frame wait for its outcome, so that clients need not wait for `ready` before sending them. */
  const take = (frame: ClientFrame): void => {
    if (!open) return;
    if (!checking) attempt(frame);
    else if (early.length < limits.subscriptions) early.push(frame);
    else close('rate_limited');
  };

  const connection: Connection = {
    opened: (token) => {
      closeAt(Date.now() + limits.authMs, 'auth_timeout');
      if (token) attempt({ type: 'auth', token });
    },
    receive: (message, isBinary) => {
      if (!open) return;
      if (message.byteLength > limits.frameBytes) return close('frame_too_large');
      if (!allowance.take()) return close('rate_limited');
      try {
        take(readFrame(message, isBinary));
      } catch (error) {
        refuse(error, undefined);
      }
    },
    drained: () => sendQueue.flush(),
    recheck: async () => {
      const backoff = createBackoff();
      for (let attempt = 0; open && access && attempt < RECHECKS; attempt++) {
        const asked = access;
        try {
          const state = await hub.checkSession(asked);
          if (state !== 'live' && access === asked) close(closeCodeOf(state));
          return;
        } catch (err) {
          log.warn({ err }, 'cannot check a session again');
          await sleep(backoff.next());
        }
      }
      close('unavailable');
    },
    close,
    ended,
  };

  return connection;
};
