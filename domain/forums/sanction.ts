/**
 * That a person may not write for a time: in one topic (a mute), or in all forums (a ban). One stream for a person and where
 * it holds, `forumSanction-<derived from both>`.
 */
import { type Static, Type } from '@sinclair/typebox';
import { type Decider, type EventDeclarations, type EventsOf, Rejected, requireExisting } from '../core/decider.ts';
import { DAY_MS, isBefore, msBetween } from '../core/instants.ts';
import { Instant, Nullable, Personal, Uuid } from '../core/schema.ts';
import { ModeratorText } from './topicEvents.ts';

/** The longest time for which somebody can be muted or banned. */
export const MAX_SANCTION_DAYS = 5 * 365;

/** `topicId` null: in all forums. */
const About = { accountId: Uuid, topicId: Nullable(Uuid) };

const forumSanctionEvents = {
  /** Again when it is imposed once more, or changed. `number` counts that: each can be appealed once. */
  ForumSanctionImposed: {
    data: Type.Object({ ...About, number: Type.Integer(), until: Instant, reason: Personal(ModeratorText) }),
    person: 'accountId',
  },
  ForumSanctionLifted: { data: Type.Object(About) },
} as const satisfies EventDeclarations;
export type ForumSanctionEvent = EventsOf<typeof forumSanctionEvents>;
type Imposed = Readonly<Static<typeof forumSanctionEvents.ForumSanctionImposed.data>>;

export type ForumSanctionCommand =
  | ({ readonly type: 'ImposeSanction'; readonly at: string } & Omit<Imposed, 'number'>)
  | { readonly type: 'LiftSanction' };

export type ForumSanction = { readonly status: 'none' } | (Imposed & { readonly status: 'imposed' | 'lifted' });

/** The sanction, while it holds. */
export const sanctionAt = (state: ForumSanction, at: string): Imposed | undefined =>
  state.status === 'imposed' && isBefore(at, state.until) ? state : undefined;

const impose = (
  { type, at, ...given }: Extract<ForumSanctionCommand, { type: 'ImposeSanction' }>,
  state: ForumSanction,
): ForumSanctionEvent[] => {
  const length = msBetween(at, given.until);
  if (length <= 0) throw new Rejected('invalid', 'until must be in the future.', { fields: ['until'] });
  if (length > MAX_SANCTION_DAYS * DAY_MS)
    throw new Rejected('invalid', `until must be within ${MAX_SANCTION_DAYS} days.`, { fields: ['until'] });
  const holds = sanctionAt(state, at);
  if (holds && Date.parse(holds.until) === Date.parse(given.until) && holds.reason === given.reason) return [];
  const number = state.status === 'none' ? 1 : state.number + 1;
  return [{ type: 'ForumSanctionImposed', data: { ...given, number } }];
};

const decide = (command: ForumSanctionCommand, state: ForumSanction): ForumSanctionEvent[] => {
  switch (command.type) {
    case 'ImposeSanction':
      return impose(command, state);
    case 'LiftSanction': {
      requireExisting(state, 'sanction');
      const { status, accountId, topicId } = state;
      return status === 'lifted' ? [] : [{ type: 'ForumSanctionLifted', data: { accountId, topicId } }];
    }
  }
};

const evolve = (state: ForumSanction, event: ForumSanctionEvent): ForumSanction => {
  switch (event.type) {
    case 'ForumSanctionImposed':
      return { ...event.data, status: 'imposed' };
    case 'ForumSanctionLifted':
      return state.status === 'none' ? state : { ...state, status: 'lifted' };
  }
};

export const forumSanction: Decider<ForumSanction, ForumSanctionCommand, ForumSanctionEvent> = {
  category: 'forumSanction',
  short: 'one person is excluded from the forums now and then',
  events: forumSanctionEvents,
  initial: { status: 'none' },
  decide,
  evolve,
};
