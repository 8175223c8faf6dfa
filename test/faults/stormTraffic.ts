/**
 * Messages at a fixed rate, whatever the answers take, with some edits, deletions and reads among them. What was
 * acknowledged is remembered, and how long a message took from its request to the socket of another member.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { CallApi, Reply } from '../kit/http.ts';
import { anyOf, below, randomFrom } from '../kit/random.ts';
import type { Follower, Shown } from './follower.ts';
import type { Group, Member } from './stormCast.ts';

const GIVE_UP_MS = 60_000;
const FIRST_RETRY_MS = 200;
const LAST_RETRY_MS = 5_000;
/** What is planned while so many requests wait is not sent: a machine that is too slow must come to an end. */
const MOST_WAITING = 300;
/** For so many messages there is one request of the other kinds. */
const EDIT_EACH = 20;
const DELETE_EACH = 40;
const READ_EACH = 10;

/** A group and the sockets of its members, in the order of its members. */
export interface Audience {
  readonly group: Group;
  readonly followers: readonly Follower[];
}

/** Milliseconds since the planned moment of a request. */
export interface Times {
  /** Until it was answered. */
  readonly answered: number[];
  /** Until the message was at the socket of another member, where that was connected all the time. */
  readonly shown: number[];
}

export interface Traffic {
  /** Ids of messages that were answered with 201 or 200, with their chats. */
  readonly acknowledged: ReadonlyMap<string, string>;
  /** Messages that were planned but not sent, and requests that nobody answered: the system was too slow. */
  readonly missed: { unsent: number; unanswered: number };
  /** Tells of a message that a follower got live. */
  onCreated(message: Shown, follower: Follower): void;
  /** Sends messages for so long. @returns when they are sent; times are added as they arrive */
  run(seconds: number, perSecond: number): Promise<Times>;
  /** Waits until all requests are answered. */
  settle(): Promise<void>;
}

interface Sending {
  readonly from: number;
  readonly times: Times;
}
interface Watch extends Sending {
  readonly follower: Follower;
  readonly connection: number;
}

const random = randomFrom();

export const createTraffic = (
  call: CallApi,
  audiences: readonly Audience[],
  onWrong: (what: string) => void,
): Traffic => {
  const acknowledged = new Map<string, string>();
  const sent: { readonly id: string; readonly token: string }[] = [];
  /** By the message's id of the client. */
  const watches = new Map<string, Watch>();
  const running = new Set<Promise<void>>();

  const missed = { unsent: 0, unanswered: 0 };

  /** Repeats a request until it is answered, as an app does. @returns undefined when it gives up */
  const insist = async (request: string, token: string, body?: object): Promise<Reply | undefined> => {
    const giveUp = performance.now() + GIVE_UP_MS;
    for (let wait = FIRST_RETRY_MS; performance.now() < giveUp; wait = Math.min(2 * wait, LAST_RETRY_MS)) {
      const reply = await call(request, { token, ...(body && { body }) }).catch(() => undefined);
      if (reply && reply.status === 500) throw new Error(`${request}: 500`);
      if (reply && reply.status < 500) return reply;
      await delay(wait * (0.5 + random()));
    }
    missed.unanswered += 1;
    return undefined;
  };
  const track = (work: Promise<void>): void => {
    const done = work
      .catch((error: unknown) => onWrong(String(error)))
      .finally(() => {
        running.delete(done);
      });
    running.add(done);
  };

  const send = async (threadId: string, { token }: Member, clientId: string, { from, times }: Sending) => {
    const body = { thread_id: threadId, body: `Text ${clientId}`, client_message_id: clientId };
    const reply = await insist('POST /api/v1/messages', token, body);
    if (!reply) return;
    const { status, body: message } = reply;
    if (status !== 201 && status !== 200) throw new Error(`a message was refused: ${status}`);
    if (acknowledged.has(message.id)) throw new Error(`message ${message.id} was acknowledged twice`);
    times.answered.push(performance.now() - from);
    acknowledged.set(message.id, threadId);
    sent.push({ id: message.id, token });
  };
  /** Changes a message of before. It may have been deleted meanwhile. */
  const change = async (request: (id: string) => string, body?: object): Promise<void> => {
    const { id, token } = anyOf(random, sent);
    const reply = await insist(request(id), token, body);
    if (reply && reply.status !== 200 && reply.status !== 404)
      throw new Error(`${request('…')} was refused: ${reply.status}`);
  };

  const turn = (n: number, sending: Sending): void => {
    const { group, followers } = anyOf(random, audiences);
    const sender = below(random, group.members.length);
    const follower = followers[(sender + 1) % followers.length] as Follower;
    const clientId = randomUUID();
    if (follower.isLive) watches.set(clientId, { ...sending, follower, connection: follower.connection });
    track(send(group.id, group.members[sender] as Member, clientId, sending));
    if (sent.length === 0) return;
    if (n % EDIT_EACH === 1) track(change((id) => `PATCH /api/v1/messages/${id}`, { body: `Edited ${randomUUID()}` }));
    if (n % DELETE_EACH === 2) track(change((id) => `DELETE /api/v1/messages/${id}`));
    if (n % READ_EACH === 3) track(change((id) => `POST /api/v1/messages/${id}/read`));
  };

  return {
    acknowledged,
    missed,
    onCreated: ({ client_message_id: clientId }, follower) => {
      const watch = clientId === null ? undefined : watches.get(clientId);
      if (watch?.follower !== follower) return;
      watches.delete(clientId as string);
      if (watch.connection === follower.connection) watch.times.shown.push(performance.now() - watch.from);
    },
    run: async (seconds, perSecond) => {
      const times: Times = { answered: [], shown: [] };
      const begun = performance.now();
      for (let n = 0; n < seconds * perSecond; n += 1) {
        const planned = begun + (n * 1_000) / perSecond;
        if (planned - performance.now() > 1) await delay(planned - performance.now());
        if (running.size < MOST_WAITING) turn(n, { from: planned, times });
        else missed.unsent += 1;
      }
      return times;
    },
    settle: async () => {
      while (running.size > 0) await Promise.all(running);
    },
  };
};
