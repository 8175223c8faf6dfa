/** One open socket: its account, its frames and its subscriptions, until it closes. */
import type { Logger } from '../../infra/log.ts';
import { metrics } from '../../infra/metrics.ts';
import { createBackoff, sleep } from '../../infra/retry.ts';
import type { Session, SessionCheck } from '../../infra/sessions.ts';
import { type Access, TokenRefused } from '../../infra/tokens.ts';
import type { Ephemeral } from '../../projections/engine/ephemeral.ts';
import type { ChangeLog } from './changeLog.ts';
import type { FindChannel } from './channels.ts';
import type { ConnectionRegistry } from './connectionRegistry.ts';
import type { Feed } from './feed.ts';
import { type Allowance, createAllowance, type Limits } from './limits.ts';
import type { Presence } from './presence.ts';
import {
  type ClientFrame,
  type CloseCode,
  closeCodes,
  encode,
  parseFrame,
  Refused,
  type ServerFrame,
} from './protocol.ts';
import { SendQueue } from './sendQueue.ts';
import { type Rights, SubscriptionSet } from './subscriptionSet.ts';
import type { SocketEvents, TransportSocket } from './transport.ts';

for (const reason of Object.keys(closeCodes)) metrics.hubDropped.inc({ reason }, 0);

/** What all sockets of a hub share. */
export interface Hub {
  readonly findChannel: FindChannel;
  /** @throws TokenRefused when the token is bad; another error when it cannot be checked now */
  readonly authenticate: (token: string) => Promise<Access>;
  readonly checkSession: (session: Session) => Promise<SessionCheck['state']>;
  readonly feed: Feed;
  readonly changeLog: ChangeLog;
  readonly presence: Presence;
  /** Sends a message to the subscribers of its channel at all hubs. */
  readonly send: (message: Ephemeral) => void;
  readonly registry: ConnectionRegistry<Connection>;
  readonly limits: Limits;
  readonly log: Logger;
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
/** Later than any deadline. An integer of 31 bits: V8 keeps other numbers in an object of their own. */
const NEVER = 2 ** 31 - 1;

/** A class, like all that each socket has: an object of closures takes several times its memory. */
export class Connection implements SocketEvents {
  readonly address: string;
  readonly #socket: TransportSocket;
  readonly #hub: Hub;
  /** The token of the upgrade, until it is checked. */
  #token: string | undefined;
  #access: Rights | undefined;
  #open = true;
  #checking = false;
  /** When, in seconds since 1970, and why the socket is closed unless something happens before. */
  #deadline = NEVER;
  #deadlineReason: CloseCode = 'auth_timeout';
  /** Made when they are first needed, because most sockets are idle. */
  #sendQueue: SendQueue | undefined;
  #early: ClientFrame[] | undefined;
  #allowance: Allowance | undefined;
  #subscriptions: SubscriptionSet | undefined;

  /** `token` when the upgrade had one; otherwise an `auth` frame must follow in time. */
  constructor(socket: TransportSocket, hub: Hub, address: string, token: string | undefined) {
    this.#socket = socket;
    this.#hub = hub;
    this.address = hub.registry.enter(address, this);
    this.#token = token;
    metrics.hubSockets.inc();
  }

  get limits(): Limits {
    return this.#hub.limits;
  }

  get sendQueue(): SendQueue {
    if (!this.#sendQueue) {
      this.#sendQueue = new SendQueue(this.#socket, this);
      if (!this.#open) this.#sendQueue.close(); // an answer that comes too late
    }
    return this.#sendQueue;
  }

  opened(): void {
    this.#closeAt(Date.now() + this.limits.authMs, 'auth_timeout');
    const token = this.#token;
    this.#token = undefined;
    if (token) this.#attempt({ type: 'auth', token });
  }

  /** One frame of the client. Never throws. */
  message(message: Uint8Array, isBinary: boolean) {
    if (!this.#open) return;
    const isLong = message.byteLength > this.limits.frameBytes;
    if (isLong && (!this.#access || message.byteLength > this.limits.publishBytes))
      return this.close('frame_too_large');
    this.#allowance ??= createAllowance(this.limits.frameBurst, this.limits.framesPerSecond);
    if (!this.#allowance.take()) return this.close('rate_limited');
    try {
      const frame = readFrame(message, isBinary);
      if (isLong && frame.type !== 'publish') this.close('frame_too_large');
      else this.#take(frame);
    } catch (error) {
      if (isLong) this.close('frame_too_large');
      else this.#refuse(error, undefined);
    }
  }

  drain(): void {
    this.#sendQueue?.flush();
  }

  /** The socket is gone. */
  closed(): void {
    metrics.hubSockets.dec();
    this.#end();
  }

  /** Closes the socket with the code and the reason of `why`. */
  close(why: CloseCode): void {
    if (!this.#open) return;
    this.#end();
    metrics.hubDropped.inc({ reason: why });
    this.#socket.end(closeCodes[why].code, closeCodes[why].reason);
  }

  /** Closes the socket when its deadline has passed: it did not authenticate in time, or its token has expired. */
  checkDeadline(now: number): void {
    if (now >= 1_000 * this.#deadline) this.close(this.#deadlineReason);
  }

  /** Checks again whether the session is still open, because sessions of this account have ended. */
  async recheck(): Promise<void> {
    const backoff = createBackoff();
    for (let attempt = 0; this.#open && this.#access && attempt < RECHECKS; attempt++) {
      const asked = this.#access;
      try {
        const state = await this.#hub.checkSession(asked);
        if (state !== 'live' && this.#access === asked) this.close(closeCodeOf(state));
        return;
      } catch (err) {
        this.#hub.log.warn({ err }, 'cannot check a session again');
        await sleep(backoff.next());
      }
    }
    this.close('unavailable');
  }

  reply(frame: ServerFrame): void {
    const queue = this.sendQueue;
    queue.queue(encode(frame));
    queue.flush();
    if (!this.#subscriptions && queue.isClear()) this.#sendQueue = undefined;
  }

  sent(frames: number): void {
    metrics.hubDelivered.inc(frames);
  }

  overflowed(): void {
    this.close('slow_consumer');
  }

  onFailure(err: unknown): void {
    this.#hub.log.warn({ err }, 'cannot read the changes of a channel');
    this.close('unavailable');
  }

  #end(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#sendQueue?.close();
    this.#subscriptions?.stop();
    this.#hub.registry.depart(this.address, this);
    if (this.#access) this.#hub.registry.leave(this.#access.accountId, this);
  }

  #closeAt(at: number, why: CloseCode): void {
    this.#deadline = Math.ceil(at / 1_000);
    this.#deadlineReason = why;
  }

  /** Answers a frame that was refused. */
  #refuse(error: unknown, id: string | undefined) {
    if (error instanceof Refused)
      return this.reply({ type: 'error', code: error.code, detail: error.message, id: id ?? error.id });
    this.#hub.log.error({ err: error }, 'cannot handle a frame');
    this.close('internal');
  }

  /** Gives the socket these rights. Ends the subscriptions that a new role does not allow. */
  #enter({ accountId, role, sessionId, tokenVersion, expiresAt }: Access, id?: string) {
    if (!this.#access && !this.#hub.registry.join(accountId, this)) return this.close('too_many_sockets');
    this.#access = { accountId, role, sessionId, tokenVersion };
    this.#closeAt(expiresAt, 'token_expired');
    this.reply({ type: 'ready', user_id: accountId, role, expires_at: new Date(expiresAt).toISOString(), id });
    this.#subscriptions?.enter(this.#access);
  }

  #authFailed(error: unknown, id: string | undefined) {
    if (error instanceof TokenRefused) {
      if (this.#access) return this.#refuse(new Refused('bad_token', error.message), id);
      return this.close(closeCodeOf(error.reason));
    }
    this.#hub.log.warn({ err: error }, 'cannot check a token');
    this.close('unavailable');
  }

  async #auth(token: string, id: string | undefined): Promise<void> {
    this.#checking = true;
    this.#hub.registry.identify(this.address, this);
    try {
      const next = await this.#hub.authenticate(token);
      if (this.#access && this.#access.accountId !== next.accountId) this.#refuse(new Refused('other_account'), id);
      else if (this.#open) this.#enter(next, id);
    } catch (error) {
      this.#authFailed(error, id);
    }
    this.#checking = false;
    const frames = this.#early ?? [];
    this.#early = undefined;
    for (const frame of frames) this.#take(frame);
  }

  #handle(frame: ClientFrame) {
    switch (frame.type) {
      case 'ping':
        return this.reply({ type: 'pong', id: frame.id });
      case 'subscribe':
        if (!this.#access) throw new Refused('not_authenticated');
        this.#subscriptions ??= new SubscriptionSet(this.#hub, this, this.#access);
        return this.#subscriptions.add(frame);
      case 'publish':
        if (!this.#subscriptions) throw new Refused('not_subscribed');
        return this.#subscriptions.publish(frame);
      case 'unsubscribe':
        if (!this.#subscriptions) throw new Refused('not_subscribed');
        return this.#subscriptions.remove(frame.channel, frame.id);
      case 'auth':
        void this.#auth(frame.token, frame.id);
    }
  }

  #attempt(frame: ClientFrame): void {
    try {
      this.#handle(frame);
    } catch (error) {
      this.#refuse(error, frame.id);
    }
  }

  /** Frames behind an `auth` frame wait for its outcome, so that clients need not wait for `ready` before sending them. */
  #take(frame: ClientFrame) {
    if (!this.#open) return;
    if (!this.#checking) return this.#attempt(frame);
    this.#early ??= [];
    if (this.#early.length < this.limits.subscriptions) this.#early.push(frame);
    else this.close('rate_limited');
  }
}
