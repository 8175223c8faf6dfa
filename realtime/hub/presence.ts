/**
 * Who is online, on channels that show it. Each hub knows its own subscribers and tells the other hubs who came and who
 * left, over the carrier of ephemeral messages. A hub repeats that it is alive, so that the people of one that was killed
 * go offline, too, and more rarely who is there: messages can be lost without anybody knowing. Who reconnects within
 * seconds never went offline.
 */
import { randomUUID } from 'node:crypto';
import { type Static, Type } from '@sinclair/typebox';
import { Uuid } from '../../domain/core/schema.ts';
import { validator } from '../../infra/validation.ts';
import type { Ephemeral } from '../../projections/engine/ephemeral.ts';
import type { EphemeralDeclaration } from './channels.ts';
import { PresenceRoom, type Present } from './presenceRoom.ts';

/** The messages of channels that show presence. `from` is who came or left. */
export const presenceMessages = [
  {
    type: 'presence.online',
    summary: 'Somebody is online. After subscribing, one for each person who is.',
    data: Type.Object({}),
  },
  { type: 'presence.offline', summary: 'Somebody has gone offline.', data: Type.Object({}) },
] as const satisfies readonly EphemeralDeclaration[];

export interface PresenceOptions {
  /** Sends a message to all hubs, this one included. */
  readonly relay: (message: Ephemeral) => void;
  /** Sends a message to the subscribers of its channel at this hub. */
  readonly tell: (message: Ephemeral) => void;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

export interface Presence {
  /** The subscription is complete. May be repeated. */
  enter(subscription: Present): void;
  leave(subscription: Present): void;
  /** A message of a hub, this one included. */
  heard(message: Ephemeral): void;
  /** Messages of other hubs were lost: asks them who is there, and says who is here. */
  askAgain(): void;
  /** Does what is due. Called every second or so. */
  tick(): void;
}

/** The address under which hubs tell each other. No channel has it. */
export const PRESENCE_ADDRESS = 'presence';
/** A hub says so often that it is alive, and counts as gone after three times in which it did not. */
const ALIVE_MS = 30_000;
const SILENT_MS = 95_000;
/** A hub says so often who is there. */
const REPEAT_MS = 300_000;
/** How long somebody may be away, to reconnect, before they are offline. */
const AWAY_MS = 10_000;
/** How long the messages in which a hub says who is there may take, one after the other. */
const ANSWER_MS = 10_000;
/** Channels that one message names. */
const NAMED = 100;

/** Who is on which channel: `[channel, accounts]`. */
const People = Type.Array(Type.Tuple([Type.String(), Type.Array(Uuid)]));
const Said = Type.Object({
  came: People,
  left: People,
  /** The channels that the hub wants to know about, or all. */
  asks: Type.Union([Type.Array(Type.String()), Type.Literal('all')]),
  /** Whether `came`, with the messages before and after this one, names everybody who is at the hub. Absent: no. */
  isAll: Type.Optional(Type.Boolean()),
});
type Said = Static<typeof Said>;
const fits = validator(Said);

export const createPresence = ({ relay, tell, now }: PresenceOptions): Presence => {
  const hubId = randomUUID();
  /** The channels that somebody listens to here. */
  const rooms = new Map<string, PresenceRoom>();
  /** Other hub → when it was last heard. */
  const hubs = new Map<string, number>();
  /** Other hub → when it last said who is there. */
  const saidAllAt = new Map<string, number>();
  let aliveAt = now();
  let repeatedAt = now();
  let askedAt = -Infinity;

  const ts = (): string => new Date(now()).toISOString();
  const say = (said: Partial<Said>): void =>
    relay({
      channel: PRESENCE_ADDRESS,
      type: 'presence.hub',
      from: hubId,
      ts: ts(),
      data: { came: [], left: [], asks: [], ...said } satisfies Said,
    });
  const message = (type: (typeof presenceMessages)[number]['type'], channel: string, from: string): Ephemeral => ({
    channel,
    type,
    from,
    ts: ts(),
    data: {},
  });

  const roomOf = (channel: string): PresenceRoom => {
    const known = rooms.get(channel);
    if (known) return known;
    const room = new PresenceRoom();
    rooms.set(channel, room);
    return room;
  };
  const add = (channel: string, room: PresenceRoom, accountId: string, come: () => void): void => {
    const isNew = !room.has(accountId);
    come();
    if (isNew) tell(message('presence.online', channel, accountId));
  };
  /** After somebody was removed. */
  const checkOffline = (channel: string, room: PresenceRoom, accountId: string): void => {
    if (!room.has(accountId)) tell(message('presence.offline', channel, accountId));
  };
  const leaveElsewhere = (channel: string, room: PresenceRoom, from: string, accountId: string): void => {
    if (room.elsewhere.get(from)?.delete(accountId)) checkOffline(channel, room, accountId);
  };
  const forgetHub = (from: string): void => {
    hubs.delete(from);
    saidAllAt.delete(from);
    for (const [channel, room] of rooms) {
      const people = room.elsewhere.get(from) ?? [];
      room.elsewhere.delete(from);
      room.doubtful.delete(from);
      for (const accountId of people) checkOffline(channel, room, accountId);
    }
  };

  /** Who is not named by what the hub says from now on has left. */
  const doubt = (from: string): void => {
    for (const { elsewhere, doubtful } of rooms.values()) {
      const people = elsewhere.get(from);
      if (people) doubtful.set(from, new Set(people));
    }
  };
  const saysAll = (from: string): void => {
    const isFirst = now() - (saidAllAt.get(from) ?? -Infinity) >= ANSWER_MS;
    if (isFirst) doubt(from);
    saidAllAt.set(from, now());
  };

  const answer = (asked: Said['asks']): void => {
    const channels = asked === 'all' ? [...rooms.keys()] : asked;
    const came = channels.flatMap((channel): Said['came'] => {
      const people = [...(rooms.get(channel)?.here.keys() ?? [])];
      return people.length > 0 ? [[channel, people]] : [];
    });
    const isAll = asked === 'all';
    for (let n = 0; n < came.length || (isAll && n === 0); n += NAMED) say({ came: came.slice(n, n + NAMED), isAll });
  };

  const cameElsewhere = (from: string, [channel, accounts]: Said['came'][number]): void => {
    const room = rooms.get(channel);
    if (!room) return;
    const people = room.elsewhere.get(from) ?? new Set();
    room.elsewhere.set(from, people);
    for (const accountId of accounts) {
      room.doubtful.get(from)?.delete(accountId);
      add(channel, room, accountId, () => people.add(accountId));
    }
  };
  const leftElsewhere = (from: string, [channel, accounts]: Said['left'][number]): void => {
    const room = rooms.get(channel);
    if (room) for (const accountId of accounts) leaveElsewhere(channel, room, from, accountId);
  };

  /** @returns those who did not come back to this hub in time */
  const removeAway = (channel: string, room: PresenceRoom): string[] => {
    const left: string[] = [];
    for (const [accountId, { awaySince }] of room.here) {
      if (awaySince === undefined || now() - awaySince < AWAY_MS) continue;
      room.here.delete(accountId);
      left.push(accountId);
      checkOffline(channel, room, accountId);
    }
    return left;
  };
  /** Those whom their hub, which was asked, has not named again. */
  const removeDoubtful = (channel: string, room: PresenceRoom): void => {
    for (const [from, people] of room.doubtful) {
      const saidAt = saidAllAt.get(from) ?? -Infinity;
      if (saidAt < askedAt || now() - saidAt < ANSWER_MS) continue;
      room.doubtful.delete(from);
      for (const accountId of people) leaveElsewhere(channel, room, from, accountId);
    }
  };
  const tickRoom = (channel: string, room: PresenceRoom): Said['left'] => {
    const left = removeAway(channel, room);
    removeDoubtful(channel, room);
    if (room.here.size === 0) rooms.delete(channel);
    return left.length > 0 ? [[channel, left]] : [];
  };

  return {
    enter: (subscription) => {
      const { canonical, accountId } = subscription;
      const isFirst = !rooms.has(canonical);
      const room = roomOf(canonical);
      const known = room.here.get(accountId);
      const online = room.everybody();
      const isBack = known?.subscriptions.has(subscription);
      if (isBack) online.delete(accountId);
      for (const other of online) subscription.tell(message('presence.online', canonical, other));
      if (isBack) return;
      const here = known ?? { subscriptions: new Set(), awaySince: undefined };
      here.subscriptions.add(subscription);
      here.awaySince = undefined;
      add(canonical, room, accountId, () => room.here.set(accountId, here));
      if (!known) say({ came: [[canonical, [accountId]]], asks: isFirst ? [canonical] : [] });
    },
    leave: (subscription) => {
      const here = rooms.get(subscription.canonical)?.here.get(subscription.accountId);
      if (here?.subscriptions.delete(subscription) && here.subscriptions.size === 0) here.awaySince = now();
    },
    heard: ({ from, data }) => {
      if (from === hubId || !fits(data)) return;
      hubs.set(from, now());
      if (data.isAll) saysAll(from);
      for (const came of data.came) cameElsewhere(from, came);
      for (const left of data.left) leftElsewhere(from, left);
      if (data.asks.length > 0) answer(data.asks);
    },
    askAgain: () => {
      askedAt = now();
      for (const from of hubs.keys()) doubt(from);
      if (rooms.size > 0) say({ asks: 'all' });
      answer('all'); // others may have asked meanwhile, which was lost here
    },
    tick: () => {
      const left = [...rooms].flatMap(([channel, room]) => tickRoom(channel, room));
      for (let n = 0; n < left.length; n += NAMED) say({ left: left.slice(n, n + NAMED) });
      for (const [from, at] of hubs) if (now() - at >= SILENT_MS) forgetHub(from);
      if (now() - repeatedAt >= REPEAT_MS) {
        repeatedAt = now();
        answer('all');
      }
      if (now() - aliveAt < ALIVE_MS) return;
      aliveAt = now();
      if (rooms.size > 0) say({});
    },
  };
};
