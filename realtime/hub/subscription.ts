/**
 * One channel of one socket. A subscription sends only the change with the next offset, so that no change is lost or
 * sent twice. While it is behind the feed it reads the changes of its channel itself, from its own cursor. It buffers
 * nothing meanwhile: it only remembers the newest change that the feed has offered.
 *
 * Whether the account may read the channel is asked after its state was read. If its access has begun since the cursor,
 * for the first time or again, it starts at the end, without what was written before. What ends the access later is one
 * of the changes that follow, so that nothing is sent after it.
 */
import type { Ephemeral } from '../../projections/engine/ephemeral.ts';
import { type Change, type ChangeLog, canResume, continues, PAGE } from './changeLog.ts';
import { type Cursor, encode } from './protocol.ts';
import type { SendQueue } from './sendQueue.ts';

export interface SubscriptionOptions {
  /** The channel as the client wrote it; frames carry this name. */
  readonly name: string;
  readonly canonical: string;
  /** The cursor that the client sent. */
  readonly since: Cursor | undefined;
  /** Id of the `subscribe` frame, echoed in the first `subscribed`. */
  readonly id: string | undefined;
  readonly log: ChangeLog;
  readonly owner: SubscriptionOwner;
}

/** What all subscriptions of a socket share. */
export interface SubscriptionOwner {
  readonly accountId: string;
  readonly sendQueue: SendQueue;
  mayRead(canonical: string): boolean | Promise<boolean>;
  /** The account may not read the channel, or not any more. Stops the subscription. */
  onForbidden(subscription: Subscription): void;
  /** The subscription has everything up to now. Repeated when it starts again. */
  onLive(subscription: Subscription): void;
  /** The channel cannot be read: nothing more will be sent. */
  onFailure(error: unknown): void;
}

export class Subscription {
  readonly name: string;
  readonly canonical: string;
  readonly sendQueue: SendQueue;
  readonly #options: SubscriptionOptions;
  #cursor: Cursor | undefined;
  #announced = false;
  #live = false;
  /** While it has joined, its cursor stands still. */
  #joined = false;
  /** The newest change that was offered while this subscription was not live. */
  #newest: Change | undefined;
  /** When it published what last. Most subscriptions publish nothing. */
  #published: Map<string, number> | undefined;
  /** Counts starts and stops, so that a catch-up that is under way notices that it is obsolete. */
  #run = 0;

  constructor(options: SubscriptionOptions) {
    this.#options = options;
    this.name = options.name;
    this.canonical = options.canonical;
    this.sendQueue = options.owner.sendQueue;
    this.#cursor = options.since && { ...options.since };
  }

  /**
   * Sends `subscribed`, then the changes after the cursor, then each new change. When the changes after the cursor are
   * gone (another epoch, pruned) or very many, it starts at the current end and says `recovered: false`. Called again, it
   * restarts from its cursor.
   */
  start(): void {
    this.#run += 1;
    const mine = this.#run;
    const calledOff = () => this.#run !== mine;
    this.#live = false;
    this.#newest = undefined;
    this.#catchUp(calledOff).catch((error: unknown) => {
      if (!calledOff()) this.#options.owner.onFailure(error);
    });
  }

  /** The feed has read this change. Queues it when its offset is the next one, unless it has joined; the caller flushes. */
  offer(change: Change): void {
    if (this.#joined) return;
    const cursor = this.#cursor;
    if (!this.#live || !cursor) {
      this.#newest = change;
    } else if (change.epoch !== cursor.epoch) {
      return; // read before the epoch of this cursor began
    } else if (change.offset === cursor.offset + 1) {
      cursor.offset = change.offset;
      this.sendQueue.queue(change.frame(this.name));
      this.endAfter(change);
    } else if (change.offset > cursor.offset) {
      this.start();
    }
  }

  /**
   * Gets further changes of the channel by publication, when it has everything up to `newest` and its socket keeps up.
   * Whether it has joined now.
   */
  join({ epoch, offset }: Cursor): boolean {
    const isComplete = this.#live && this.#cursor?.epoch === epoch && this.#cursor.offset === offset;
    if (this.#joined || !isComplete || !this.sendQueue.isClear()) return false;
    this.#joined = true;
    this.sendQueue.join(this.name);
    return true;
  }

  get accountId(): string {
    return this.#options.owner.accountId;
  }

  /** Sends a message that is not stored, unless the socket reads too slowly. */
  tell({ channel: _channel, ...message }: Ephemeral): void {
    if (!this.takesEphemeral()) return;
    this.sendQueue.queue(Buffer.from(JSON.stringify({ channel: this.name, ...message })));
    this.sendQueue.flush();
  }

  /** Whether it is live and its socket keeps up: otherwise it does without what matters for a moment only. */
  takesEphemeral(): boolean {
    return this.#live && this.sendQueue.isClear();
  }

  /** Whether `everyMs` have passed since it last published this. `now` in milliseconds. */
  mayPublish(type: string, everyMs: number, now: number): boolean {
    this.#published ??= new Map();
    if (now - (this.#published.get(type) ?? -Infinity) < everyMs) return false;
    this.#published.set(type, now);
    return true;
  }

  /** Ends if the account may not read the channel after this change. Whether it has ended. */
  endAfter({ endsFor }: Change): boolean {
    const { owner } = this.#options;
    if (endsFor === null || endsFor !== owner.accountId) return false;
    owner.onForbidden(this);
    return true;
  }

  /** Id of the `subscribe` frame as long as that frame has no answer. */
  unanswered(): { readonly id: string | undefined } | undefined {
    return this.#announced ? undefined : { id: this.#options.id };
  }

  hasJoined(): boolean {
    return this.#joined;
  }

  /** Goes on one by one, after everything that was published up to `newest`. False when it had not joined. */
  part({ epoch, offset }: Cursor): boolean {
    if (!this.#joined) return false;
    this.#joined = false;
    this.sendQueue.leave(this.name);
    this.#cursor = { epoch, offset };
    return true;
  }

  stop(): void {
    this.#run += 1;
    this.#live = false;
  }

  #announce(at: Cursor, recovered: boolean): void {
    const id = this.#announced ? undefined : this.#options.id;
    this.#announced = true;
    this.sendQueue.queue(encode({ type: 'subscribed', channel: this.name, ...at, recovered, id }));
  }

  /** Queues changes as fast as the socket takes them. */
  async #replay(changes: readonly Change[], at: Cursor, calledOff: () => boolean): Promise<void> {
    for (const change of changes) {
      this.sendQueue.queue(change.frame(this.name));
      at.offset = change.offset;
      if (this.endAfter(change)) return;
      if (this.sendQueue.hasRoom()) continue;
      this.sendQueue.flush();
      await this.sendQueue.emptied();
      if (calledOff()) return;
    }
    this.sendQueue.flush();
  }

  async #catchUp(calledOff: () => boolean): Promise<void> {
    const { log, owner } = this.#options;
    let page = await log.page(this.canonical, this.#cursor?.offset);
    if (calledOff()) return;
    const known = this.#cursor && canResume(page, this.#cursor) ? this.#cursor : undefined;
    const at = known ?? { epoch: page.epoch, offset: page.last };
    const allowed = owner.mayRead(this.canonical);
    if (allowed !== true) {
      const isAllowed = await allowed;
      if (calledOff()) return;
      if (!isAllowed) return owner.onForbidden(this);
      const hasBegun = await log.accessBeganAfter(this.canonical, at.offset, owner.accountId);
      if (calledOff()) return;
      if (hasBegun) {
        this.#cursor = undefined;
        return this.start();
      }
    }
    this.#cursor = at;
    this.#announce(at, known !== undefined);
    await this.#replay(known ? page.changes : [], at, calledOff);
    while (!calledOff()) {
      const isBehind = this.#newest?.epoch === at.epoch && this.#newest.offset > at.offset;
      if (page.changes.length < PAGE && !isBehind) {
        this.#live = true;
        this.#newest = undefined;
        return owner.onLive(this);
      }
      page = await log.page(this.canonical, at.offset);
      if (calledOff()) return;
      if (!continues(page, at)) return this.start();
      await this.#replay(page.changes, at, calledOff);
    }
  }
}
