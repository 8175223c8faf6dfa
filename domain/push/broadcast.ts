/** A message to many people: who sends it to whom, and whether it may go on. One stream each: `broadcast-<id>`. */
import { type Static, Type } from '@sinclair/typebox';
import { Language } from '../accounts/accountEvents.ts';
import { Role } from '../accounts/role.ts';
import { type Decider, type EventDeclarations, type EventsOf, Rejected, requireExisting } from '../core/decider.ts';
import { DAY_MS, MINUTE_MS } from '../core/instants.ts';
import { Instant, OneOf, Uuid } from '../core/schema.ts';
import { appPlatforms } from '../flags/context.ts';

/** `marketing` reaches only who consents to it; `system` is what people have to know, such as closed lifts. */
const broadcastKinds = ['marketing', 'system'] as const;
export const BroadcastKind = OneOf(broadcastKinds);
export const Urgency = OneOf(['normal', 'high']);

export const AppVersion = Type.String({
  pattern: '^\\d{1,9}(\\.\\d{1,9}){0,2}([-+][0-9A-Za-z.+-]{1,32})?$',
  examples: ['2.4.0'],
});

/** All conditions must hold; without any it is everybody. */
export const Segment = Type.Object({
  roles: Type.Optional(Type.Array(Role, { minItems: 1, maxItems: 20 })),
  platforms: Type.Optional(Type.Array(OneOf(appPlatforms), { minItems: 1, maxItems: 3 })),
  app_version_lt: Type.Optional({ ...AppVersion, description: 'Apps older than this version.' }),
  last_seen_after: Type.Optional({ ...Instant, description: 'Devices that were registered again since.' }),
  user_ids: Type.Optional(Type.Array(Uuid, { minItems: 1, maxItems: 1_000 })),
  languages: Type.Optional(
    Type.Array(Language, {
      minItems: 1,
      maxItems: 20,
      description: 'Of the device, else of the account. `en` is also `en-GB`.',
    }),
  ),
});
export type Segment = Static<typeof Segment>;

const Text = Type.Object({
  title: Type.String({ minLength: 1, maxLength: 100 }),
  body: Type.String({ minLength: 1, maxLength: 500 }),
});
export const BroadcastTexts = Type.Object(
  { ru: Type.Optional(Text), en: Type.Optional(Text) },
  { minProperties: 1, description: 'Whose language is missing gets the other one.' },
);
export type BroadcastTexts = Static<typeof BroadcastTexts>;

export const BroadcastMessage = Type.Object({
  kind: BroadcastKind,
  segment: Segment,
  texts: BroadcastTexts,
  /** Where the app goes when the message is opened. */
  link: Type.String({ maxLength: 500 }),
  urgency: Urgency,
  sendAt: Instant,
  /** What is not delivered by then never is. */
  expiresAt: Instant,
});
export type BroadcastMessage = Static<typeof BroadcastMessage>;

/** How many devices it was queued for, and what became of them. */
export const BroadcastCounts = Type.Object({
  devices: Type.Integer(),
  delivered: Type.Integer(),
  failed: Type.Integer({ description: 'Dead tokens, refused messages and devices whose person has signed out.' }),
  expired: Type.Integer({ description: 'The service did not take it in time.' }),
  cancelled: Type.Integer(),
});
export type BroadcastCounts = Static<typeof BroadcastCounts>;

const broadcastEvents = {
  BroadcastScheduled: { data: BroadcastMessage },
  BroadcastPaused: { data: Type.Object({}) },
  BroadcastResumed: { data: Type.Object({}) },
  BroadcastCancelled: { data: Type.Object({}) },
  /** Also after it was cancelled: nothing more is sent from then on. */
  BroadcastFinished: { data: BroadcastCounts },
} as const satisfies EventDeclarations;
export type BroadcastEvent = EventsOf<typeof broadcastEvents>;

export type BroadcastCommand =
  | ({ readonly type: 'ScheduleBroadcast'; readonly at: string } & BroadcastMessage)
  | { readonly type: 'PauseBroadcast' }
  | { readonly type: 'ResumeBroadcast' }
  | { readonly type: 'CancelBroadcast' }
  | ({ readonly type: 'FinishBroadcast' } & BroadcastCounts);

const broadcastStatuses = ['scheduled', 'paused', 'cancelled', 'finished'] as const;
export const BroadcastStatus = OneOf(broadcastStatuses, {
  description:
    '`scheduled` waits for its time or is being sent, `finished` was sent, `cancelled` sends nothing more. With `finished_at`, `counts` are final.',
});
export type BroadcastStatus = Static<typeof BroadcastStatus>;

export type Broadcast =
  | { readonly status: 'none' }
  | ({
      readonly status: BroadcastStatus;
      /** Nothing is under way any more, and what became of it was counted: also of one that was cancelled. */
      readonly isCounted: boolean;
    } & BroadcastMessage);

/** Services keep messages for at most 28 days. */
const LONGEST_MS = 28 * DAY_MS;
const FURTHEST_MS = 365 * DAY_MS;
/** The clock of whoever sends it at once may be behind ours. */
const CLOCK_SKEW_MS = 5 * MINUTE_MS;

const schedule = (
  { type: _, at, ...message }: Extract<BroadcastCommand, { type: 'ScheduleBroadcast' }>,
  state: Broadcast,
): BroadcastEvent[] => {
  if (state.status !== 'none') return [];
  const [now, from, until] = [at, message.sendAt, message.expiresAt].map((time) => Date.parse(time)) as [
    number,
    number,
    number,
  ];
  if (from < now - CLOCK_SKEW_MS)
    throw new Rejected('invalid', 'send_at is in the past. Give a later time, or leave it out to send at once.', {
      fields: ['send_at'],
    });
  if (until <= from || until <= now)
    throw new Rejected('invalid', 'expires_at must be in the future and after send_at.', { fields: ['expires_at'] });
  if (until - from > LONGEST_MS)
    throw new Rejected('invalid', 'expires_at can be at most 28 days after send_at.', { fields: ['expires_at'] });
  if (from - now > FURTHEST_MS)
    throw new Rejected('invalid', 'send_at can be at most a year ahead.', { fields: ['send_at'] });
  return [{ type: 'BroadcastScheduled', data: message }];
};

const WHY_NOT: Readonly<Record<BroadcastStatus, string>> = {
  scheduled: 'This broadcast is scheduled.',
  paused: 'This broadcast is paused.',
  cancelled: 'This broadcast was cancelled for good. Send a new one instead.',
  finished: 'This broadcast was sent: nothing of it is left to pause, resume or cancel.',
};

const decide = (command: BroadcastCommand, state: Broadcast): BroadcastEvent[] => {
  if (command.type === 'ScheduleBroadcast') return schedule(command, state);
  requireExisting(state, 'broadcast');
  const { status, isCounted } = state;
  const over = (): never => {
    throw new Rejected('invalid_transition', WHY_NOT[status], { status });
  };
  switch (command.type) {
    case 'PauseBroadcast':
      if (status === 'paused') return [];
      return status === 'scheduled' ? [{ type: 'BroadcastPaused', data: {} }] : over();
    case 'ResumeBroadcast':
      if (status === 'scheduled') return [];
      return status === 'paused' ? [{ type: 'BroadcastResumed', data: {} }] : over();
    case 'CancelBroadcast':
      if (status === 'cancelled') return [];
      return status === 'finished' ? over() : [{ type: 'BroadcastCancelled', data: {} }];
    case 'FinishBroadcast': {
      const { type: _, ...counts } = command;
      if (isCounted) return [];
      return status === 'paused' ? over() : [{ type: 'BroadcastFinished', data: counts }];
    }
  }
};

/** What became of a broadcast is counted: one that was cancelled stays so. */
export const counted = (status: BroadcastStatus): BroadcastStatus => (status === 'cancelled' ? status : 'finished');

const evolve = (state: Broadcast, event: BroadcastEvent): Broadcast => {
  if (event.type === 'BroadcastScheduled') return { status: 'scheduled', isCounted: false, ...event.data };
  if (state.status === 'none') return state;
  switch (event.type) {
    case 'BroadcastPaused':
      return { ...state, status: 'paused' };
    case 'BroadcastResumed':
      return { ...state, status: 'scheduled' };
    case 'BroadcastCancelled':
      return { ...state, status: 'cancelled' };
    case 'BroadcastFinished':
      return { ...state, status: counted(state.status), isCounted: true };
  }
};

export const broadcast: Decider<Broadcast, BroadcastCommand, BroadcastEvent> = {
  category: 'broadcast',
  short: 'it is sent, or stopped',
  events: broadcastEvents,
  initial: { status: 'none' },
  decide,
  evolve,
};
