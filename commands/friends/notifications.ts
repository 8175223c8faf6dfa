/** What people are told about friends. */
import { Type } from '@sinclair/typebox';
import type { Recorded } from '../../domain/core/decider.ts';
import { DAY_MS, HOUR_MS } from '../../domain/core/instants.ts';
import { friendship } from '../../domain/friends/friendship.ts';
import type { CoreDeps } from '../core/deps.ts';
import type { CommandContext } from '../core/handle.ts';
import { JobBatch } from '../core/jobChanges.ts';
import { notification, setCue } from '../core/notification.ts';
import { seenBy } from './live.ts';

const nothing = Type.Object({});

/** Of the events of a pair, each is later than the ones before. */
const versionOf = ({ revision }: Pick<Recorded, 'revision'>): number => Number(revision) + 1;

const friendInvited = notification('friend_invited', {
  kind: 'friend',
  urgency: 'normal',
  worthMs: 3 * DAY_MS,
  params: nothing,
  on: {
    FriendInvited: (event) => {
      const { by, other, isShown } = event.data;
      return isShown ? { about: { pair: event.streamId, by, other, version: String(versionOf(event)) } } : undefined;
    },
  },
  settledBy: {
    FriendAccepted: (event) => ({ to: event.data.by, key: event.streamId, version: versionOf(event) }),
    FriendDeclined: (event) => ({ to: event.data.by, key: event.streamId, version: versionOf(event) }),
    InvitationWithdrawn: (event) => ({ to: event.data.other, key: event.streamId, version: versionOf(event) }),
    PersonBlocked: (event) => ({ to: event.data.by, key: event.streamId, version: versionOf(event) }),
  },
  find: async ({ pair = '', by = '', other = '', version }, { deps }) => {
    const { state } = await deps.aggregates.load(friendship, pair);
    if (state.relations[other] !== 'incoming') return [];
    return [{ to: other, of: by, key: pair, version: Number(version), params: {} }];
  },
  text: {
    ru: (_, { name }) => ({ title: 'Приглашение в друзья', body: `${name} хочет добавить вас в друзья.` }),
    en: (_, { name }) => ({ title: 'Friend invitation', body: `${name} wants to be your friend.` }),
  },
  link: () => '/friends/invitations',
});

const friendAccepted = notification('friend_accepted', {
  kind: 'friend',
  urgency: 'normal',
  worthMs: DAY_MS,
  params: nothing,
  on: { FriendAccepted: ({ streamId: pair, data: { by, other } }) => ({ about: { pair, by, other } }) },
  find: async ({ pair = '', by = '', other = '' }, { deps }) => {
    const { state } = await deps.aggregates.load(friendship, pair);
    return state.relations[other] === 'friends' ? [{ to: other, of: by, params: {} }] : [];
  },
  text: {
    ru: (_, { name }) => ({ title: 'Теперь вы друзья', body: `${name} принимает ваше приглашение.` }),
    en: (_, { name }) => ({ title: 'You are friends now', body: `${name} has accepted your invitation.` }),
  },
  link: () => '/friends',
});

const FRIEND_ARRIVED = 'friend_arrived';

/** Somebody shares their position with a friend who shares theirs, at most once a day. */
const friendArrived = notification(FRIEND_ARRIVED, {
  kind: 'friend',
  urgency: 'normal',
  worthMs: HOUR_MS,
  params: nothing,
  find: async ({ by = '', to = '' }, { deps, at }) => {
    const seen = await seenBy(deps, by, [to], at);
    return seen.length > 0 ? [{ to, of: by, params: {} }] : [];
  },
  text: {
    ru: (_, { name }) => ({ title: 'Друг на курорте', body: `${name}: вы видите друг друга на карте.` }),
    en: (_, { name }) => ({ title: 'A friend is here', body: `${name} and you see each other on the map.` }),
  },
  link: () => '/friends/map',
});

/** Positions are no events: this is where their beginning is told from. @param friends who see the person from now on */
export const cueArrival = async (
  { pool }: Pick<CoreDeps, 'pool'>,
  context: CommandContext,
  by: string,
  friends: readonly string[],
): Promise<void> => {
  const cues = new JobBatch();
  for (const to of friends)
    await setCue(cues, context, {
      name: FRIEND_ARRIVED,
      key: `${by} ${to} ${context.at.slice(0, 'YYYY-MM-DD'.length)}`,
      about: { by, to },
      eventAt: context.at,
      dueAt: context.at,
    });
  await cues.write(pool);
};

export const friendNotifications = [friendInvited, friendAccepted, friendArrived];
