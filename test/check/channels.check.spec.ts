/** What channels carry is what REST shows to the same audience, and lists of it say up to which change they show it. */
import { type TObject, type TSchema, TypeGuard } from '@sinclair/typebox';
import { expect, it } from 'vitest';
import { routes } from '../../api/modules.ts';
import { chatPayloads } from '../../projections/chat/badges.ts';
import { type Audience, wireForm } from '../../projections/engine/wire.ts';
import { models } from '../../projections/modules.ts';
import { notificationPayloads } from '../../projections/notifications/notifications.ts';
import { channels } from '../../realtime/modules.ts';

/** Words about a schema, which say nothing of what fits it. */
const WORDS = ['$id', 'description', 'examples', 'x-audience', 'column'];
const shapeOf = (schema: unknown): string =>
  JSON.stringify(schema, (name, value) => (WORDS.includes(name) ? undefined : value));

/** The schema as an audience sees it. */
const seenBy = (schema: TObject, audience: Audience): TObject =>
  wireForm<object, TObject>(schema, (row) => row as never).schemaFor(audience);

/** What a reply shows: itself, and every object in it. */
const objectsIn = (schema: TSchema): TObject[] => {
  if (TypeGuard.IsArray(schema)) return objectsIn(schema.items);
  if (TypeGuard.IsUnion(schema)) return schema.anyOf.flatMap(objectsIn);
  if (!TypeGuard.IsObject(schema)) return [];
  return [schema, ...Object.values(schema.properties).flatMap(objectsIn)];
};

const reads = routes.filter(({ method }) => method === 'GET');
/** The rows of a list. */
const itemOf = (reply: TSchema): TSchema | undefined => {
  const data = TypeGuard.IsObject(reply) ? reply.properties.data : undefined;
  return data && TypeGuard.IsArray(data) ? data.items : undefined;
};

interface Frame {
  readonly entity: string;
  readonly channel: string;
  readonly audience: Audience;
  readonly row: TObject;
  /** The row for all audiences. */
  readonly whole: TObject;
}
const frames: readonly Frame[] = [
  ...models.flatMap(({ entity, publishTo, wire }) =>
    publishTo.map(({ channel, audience }) => ({
      ...{ entity, channel: channel.name, audience, row: wire.schemaFor(audience), whole: wire.schema },
    })),
  ),
  ...[...notificationPayloads, ...chatPayloads].flatMap(({ entity, row, channels: names }) =>
    names.map((channel) => ({ entity, channel, audience: 'guest' as const, row, whole: row })),
  ),
];

/**
 * Frames that are a part of what REST shows, because the rest is of the reader alone or comes in frames of its own: the
 * operation, and fields that have another name there, or are in none.
 */
const parts: Readonly<
  Record<string, { readonly of: string; readonly named?: Readonly<Record<string, string | null>> }>
> = {
  // Members and messages have frames of their own; what only the reader has comes as `chat_preferences` and `chat_badge`.
  chat: { of: 'getChat' },
  chat_badge: { of: 'getChat', named: { thread_id: 'id' } },
  chat_preferences: { of: 'getChat', named: { thread_id: 'id', account_id: null, hidden_up_to: null } },
  // Who negotiates: the two whom the call names.
  call_party: { of: 'getCall', named: { call_id: 'id', account_id: null } },
  consent: { of: 'listConsents' },
  // It says what to fetch again.
  platform: { of: 'getPlatformConfig', named: { part: null, revision: null, changed_at: null, fetch_within_s: null } },
  // The state of the moment, of which only the newest counts.
  lift: { of: 'listLifts', named: { told_at: null } },
  slope: { of: 'listSlopes', named: { told_at: null } },
  // REST also says of the snow whether it is old.
  resort: { of: 'getResortStatus', named: { updated_at: null, stations: null } },
  // Readers get it in their language.
  post: { of: 'getPost' },
  // How far the reader has read, and whether it is a favourite, is theirs.
  forum_topic: { of: 'getForumTopic' },
  // Links are signed for a reader.
  voice_room: { of: 'getVoiceRoom' },
  voice_recording: { of: 'listVoiceRecordings' },
  notification_inbox: { of: 'countUnreadNotifications' },
  badge_award: { of: 'listOwnBadges', named: { badge_id: 'id' } },
};

/** Whether a value of one schema is what another shows, or a part of it. */
const isPartOf = (part: TSchema, whole: TSchema): boolean => {
  if (shapeOf(part) === shapeOf(whole)) return true;
  if (TypeGuard.IsUnion(whole)) return whole.anyOf.some((each) => isPartOf(part, each));
  if (TypeGuard.IsArray(part) && TypeGuard.IsArray(whole)) return isPartOf(part.items, whole.items);
  if (!TypeGuard.IsObject(part) || !TypeGuard.IsObject(whole)) return false;
  return Object.entries(part.properties).every(([name, each]) => {
    const other = whole.properties[name];
    return other !== undefined && isPartOf(each, other);
  });
};

const replyOf = (id: string): TSchema => {
  const found = reads.find(({ id: operation }) => operation === id);
  if (!found) throw new Error(`there is no operation ${id}`);
  return found.spec.reply;
};

it('a frame is a row that REST shows to the same audience, or the part of one that says why', () => {
  const shown = new Map<Audience, ReadonlySet<string>>();
  const objects = reads.flatMap(({ spec }) => objectsIn(spec.reply));
  const isShown = ({ audience, row }: Frame): boolean => {
    const known = shown.get(audience) ?? new Set(objects.map((each) => shapeOf(seenBy(each, audience))));
    shown.set(audience, known);
    return known.has(shapeOf(row));
  };
  const others = new Map(frames.filter((frame) => !isShown(frame)).map((frame) => [frame.entity, frame]));
  expect([...others.keys()].toSorted()).toEqual(Object.keys(parts).toSorted());
  const strange = [...others].flatMap(([entity, { row, audience }]) => {
    const { of, named = {} } = parts[entity] ?? { of: '' };
    const whole = objectsIn(replyOf(of)).map((each) => seenBy(each, audience).properties);
    const has = (name: string, schema: TSchema) =>
      whole.some((each) => each[name] !== undefined && isPartOf(schema, each[name]));
    return Object.entries(row.properties)
      .filter(([name, schema]) => named[name] !== null && !has(named[name] ?? name, schema))
      .map(([name]) => `${entity}.${name} is not in ${of}`);
  });
  expect(strange).toEqual([]);
});

it('no frame names an account where REST does not: reactions are counted', () => {
  expect(frames.filter(({ entity }) => entity.startsWith('forum_reaction'))).toEqual([]);
});

/** Lists of all people's rows, which no channel carries together. */
const OF_ALL = [
  ...['listRoleRequests', 'listAllReviews', 'listPayments', 'listPayouts', 'listForumSanctions', 'listForumAppeals'],
  'listAppeals',
];

it('every list that a channel carries takes `Prefer: channel-offset`', () => {
  // What a frame is a part of is carried as well.
  const inParts = Object.values(parts).flatMap(({ of }) => itemOf(replyOf(of)) ?? []);
  const carried = new Set([...frames.map(({ whole }) => whole), ...inParts].map(shapeOf));
  const lists = reads.filter(({ spec }) => {
    const item = itemOf(spec.reply);
    return item !== undefined && carried.has(shapeOf(item));
  });
  expect(lists.length).toBeGreaterThan(15);
  const without = lists.filter(({ spec }) => spec.channel === undefined);
  expect(without.filter(({ access }) => access !== 'admin').map(({ id }) => id)).toEqual([]);
  expect(without.map(({ id }) => id).toSorted()).toEqual(OF_ALL.toSorted());
  // What is put together for a reader, of what several frames say.
  const chats = ['listOwnChats', 'listChats', 'listP2pChats', 'getChat'];
  for (const id of chats) expect(reads.find(({ id: operation }) => operation === id)?.spec.channel, id).toBeDefined();
});

it('the channel of a list is one that people can subscribe to', () => {
  const known = new Set(channels.map(({ name }) => name));
  const named = routes.flatMap(({ spec }) => (spec.channel ? [spec.channel.of.name] : []));
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});
