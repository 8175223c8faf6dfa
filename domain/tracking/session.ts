/**
 * A session: one recording of a device, from its start to its end. Its points are kept outside of the log; what they come
 * to is a fact of the log. While it is open, its owner can show it to others, live.
 */
import { isDeepStrictEqual } from 'node:util';
import { Type } from '@sinclair/typebox';
import { type Decider, type EventDeclarations, type EventsOf, notFound, Outdated, Rejected } from '../core/decider.ts';
import { addMs, HOUR_MS, isAfter, MINUTE_MS } from '../core/instants.ts';
import { DateOnly, Instant, OneOf, Uuid } from '../core/schema.ts';
import { Compared, type Measured, TrackSummary } from './summary.ts';

/**
 * Why a session has ended: its owner ended it, or it got no points for hours. The owner's word counts more: an abandoned
 * session may only have lost its network, so that points go on moving its end, and its owner can still finish it.
 */
export const endings = ['finished', 'abandoned'] as const;
/** Why somebody may not see a track any more. */
const shareEndings = ['revoked', 'expired', 'session_ended'] as const;

/**
 * `adds`: what it adds to its day, where another device of the person recorded the same time. `compared`: what counts in
 * comparisons with others. Where they are missing, it is all of the summary: always in older events.
 */
const measured = { summary: TrackSummary, adds: Type.Optional(TrackSummary), compared: Type.Optional(Compared) };

/** By how much the clock of the device was behind ours at the start; missing: it was right, or did not say. */
const clockSkewMs = Type.Optional(Type.Integer());

const sessionEvents = {
  /** `day`: the day that the session counts for, in the time zone of the resort. */
  TrackingSessionStarted: { data: Type.Object({ accountId: Uuid, startedAt: Instant, day: DateOnly, clockSkewMs }) },
  /** Points are accepted up to `acceptsPointsUntil`. Again after `abandoned`, when the owner has finished it. */
  TrackingSessionFinished: {
    data: Type.Object({
      finishedAt: Instant,
      ending: OneOf(endings),
      ...measured,
      acceptsPointsUntil: Instant,
    }),
  },
  /** Points that came late have changed it, and the end if the session was abandoned. */
  TrackingSummaryCorrected: { data: Type.Object({ finishedAt: Instant, ...measured }) },
  /** Its points are deleted. */
  TrackingSessionDiscarded: { data: Type.Object({ accountId: Uuid, day: DateOnly }) },
  /** Again for the same viewer: until another time. */
  TrackShared: { data: Type.Object({ ownerId: Uuid, viewerId: Uuid, expiresAt: Instant }) },
  TrackShareEnded: { data: Type.Object({ viewerId: Uuid, reason: OneOf(shareEndings) }) },
} as const satisfies EventDeclarations;
export type SessionEvent = EventsOf<typeof sessionEvents>;

/** Older sessions say less of what they come to. */
type KnownMeasured = Pick<Measured, 'summary' | 'adds'> & Partial<Measured>;

/** Times are RFC 3339; `at`: now. */
export type SessionCommand =
  | {
      readonly type: 'StartSession';
      readonly accountId: string;
      readonly startedAt: string;
      readonly day: string;
      readonly clockSkewMs?: number;
      readonly at: string;
    }
  | (KnownMeasured & {
      readonly type: 'FinishSession';
      readonly finishedAt: string;
      readonly ending: (typeof endings)[number];
      readonly at: string;
    })
  | (KnownMeasured & { readonly type: 'CorrectSummary'; readonly finishedAt: string })
  | { readonly type: 'DiscardSession' }
  | { readonly type: 'ShareTrack'; readonly viewerId: string; readonly expiresAt: string; readonly at: string }
  | { readonly type: 'RevokeShare'; readonly viewerId: string }
  /** Ends the shares whose time is over. */
  | { readonly type: 'ExpireShares'; readonly at: string };

interface Share {
  readonly viewerId: string;
  readonly expiresAt: string;
}

interface Known {
  readonly accountId: string;
  readonly startedAt: string;
  readonly day: string;
  readonly clockSkewMs?: number;
}
export type OpenSession = Known & { readonly status: 'open'; readonly shares: readonly Share[] };
export type FinishedSession = Known & {
  readonly status: 'finished';
  readonly finishedAt: string;
  readonly ending: (typeof endings)[number];
  readonly acceptsPointsUntil: string;
} & KnownMeasured;
export type Session = { readonly status: 'none' } | { readonly status: 'discarded' } | OpenSession | FinishedSession;

/** A device may have been offline for this long, at the start and after the end. */
export const OFFLINE_HOURS = 72;
export const MAX_SHARES = 20;
export const LONGEST_SHARE_HOURS = 12;
/** Clocks of devices may be ahead of ours. */
const CLOCK_SKEW_MS = 5 * MINUTE_MS;

const start = (
  { type, at, ...data }: Extract<SessionCommand, { type: 'StartSession' }>,
  state: Session,
): SessionEvent[] => {
  if (state.status !== 'none') return [];
  if (isAfter(data.startedAt, addMs(at, CLOCK_SKEW_MS)))
    throw new Rejected('invalid', 'A session cannot start in the future.', { fields: ['started_at'] });
  if (isAfter(addMs(at, -OFFLINE_HOURS * HOUR_MS), data.startedAt))
    throw new Rejected('invalid', `A session can be uploaded up to ${OFFLINE_HOURS} hours after its start.`, {
      fields: ['started_at'],
    });
  return [{ type: 'TrackingSessionStarted', data }];
};

const allShares = ({ shares }: OpenSession): SessionEvent[] =>
  shares.map(({ viewerId }) => ({ type: 'TrackShareEnded', data: { viewerId, reason: 'session_ended' } }));

/** Refuses an end that a session cannot have. @throws Rejected `invalid` */
export const refuseEnd = ({ startedAt }: Known, finishedAt: string, at: string): void => {
  if (isAfter(startedAt, finishedAt))
    throw new Rejected('invalid', 'A session cannot end before it has started.', { fields: ['finished_at'] });
  if (isAfter(finishedAt, addMs(at, CLOCK_SKEW_MS)))
    throw new Rejected('invalid', 'A session cannot end in the future.', { fields: ['finished_at'] });
};

const finish = (
  { type: _, at, ...given }: Extract<SessionCommand, { type: 'FinishSession' }>,
  state: OpenSession | FinishedSession,
): SessionEvent[] => {
  const { ending, finishedAt } = given;
  if (state.status === 'finished' && (state.ending === 'finished' || ending === 'abandoned')) return [];
  // Later, its points may be gone.
  if (state.status === 'finished' && isAfter(at, state.acceptsPointsUntil))
    throw new Rejected(
      'invalid_transition',
      'This session was finished because it got no points, and has been closed.',
    );
  refuseEnd(state, finishedAt, at);
  const acceptsPointsUntil = addMs(at, OFFLINE_HOURS * HOUR_MS);
  const data = { ...given, acceptsPointsUntil };
  return [...(state.status === 'open' ? allShares(state) : []), { type: 'TrackingSessionFinished', data }];
};

const correct = (
  { type: _, ...given }: Extract<SessionCommand, { type: 'CorrectSummary' }>,
  state: OpenSession | FinishedSession,
): SessionEvent[] => {
  if (state.status === 'open') return [];
  // The session was finished by its owner while the summary was computed: it is computed again.
  if (state.ending === 'finished' && given.finishedAt !== state.finishedAt) throw new Outdated();
  const { finishedAt, summary, adds, compared } = state;
  if (isDeepStrictEqual({ adds: undefined, compared: undefined, ...given }, { finishedAt, summary, adds, compared }))
    return [];
  return [{ type: 'TrackingSummaryCorrected', data: given }];
};

const share = (
  { viewerId, expiresAt, at }: Extract<SessionCommand, { type: 'ShareTrack' }>,
  state: OpenSession | FinishedSession,
): SessionEvent[] => {
  if (state.status === 'finished')
    throw new Rejected(
      'invalid_transition',
      'This session has ended. Only a track that is being recorded can be shared.',
    );
  if (viewerId === state.accountId)
    throw new Rejected('invalid', 'Your own track needs no share. Name the account of another person.', {
      fields: ['account_id'],
    });
  if (!isAfter(expiresAt, at))
    throw new Rejected('invalid', 'The end of a share must lie in the future.', { fields: ['expires_at'] });
  if (isAfter(expiresAt, addMs(at, LONGEST_SHARE_HOURS * HOUR_MS)))
    throw new Rejected('invalid', `A track can be shared for at most ${LONGEST_SHARE_HOURS} hours at a time.`, {
      fields: ['expires_at'],
    });
  const known = state.shares.find((one) => one.viewerId === viewerId);
  if (known?.expiresAt === expiresAt) return [];
  if (!known && state.shares.length >= MAX_SHARES)
    throw new Rejected('conflict', `A track can be shared with at most ${MAX_SHARES} people. End another share first.`);
  return [{ type: 'TrackShared', data: { ownerId: state.accountId, viewerId, expiresAt } }];
};

/** The shares that a command ends. */
const ended = (
  state: OpenSession | FinishedSession,
  reason: (typeof shareEndings)[number],
  ends: (share: Share) => boolean,
): SessionEvent[] =>
  state.status === 'finished'
    ? []
    : state.shares
        .filter(ends)
        .map(({ viewerId }) => ({ type: 'TrackShareEnded', data: { viewerId, reason } }) as const);

const decide = (command: SessionCommand, state: Session): SessionEvent[] => {
  if (command.type === 'StartSession') return start(command, state);
  if (state.status === 'discarded' && command.type === 'DiscardSession') return [];
  if (state.status === 'none' || state.status === 'discarded') throw notFound('tracking session');
  switch (command.type) {
    case 'FinishSession':
      return finish(command, state);
    case 'CorrectSummary':
      return correct(command, state);
    case 'DiscardSession': {
      const { accountId, day } = state;
      const shares = state.status === 'open' ? allShares(state) : [];
      return [...shares, { type: 'TrackingSessionDiscarded', data: { accountId, day } }];
    }
    case 'ShareTrack':
      return share(command, state);
    case 'RevokeShare':
      return ended(state, 'revoked', ({ viewerId }) => viewerId === command.viewerId);
    case 'ExpireShares':
      return ended(state, 'expired', ({ expiresAt }) => !isAfter(expiresAt, command.at));
  }
};

const withShares = (state: Session, change: (shares: readonly Share[]) => readonly Share[]): Session =>
  state.status === 'open' ? { ...state, shares: change(state.shares) } : state;

/** What it added and was compared by before counts no more, also where the new one does not say it. */
const corrected = (
  { adds: _, compared: __, ...state }: FinishedSession,
  of: { readonly finishedAt: string } & KnownMeasured,
): FinishedSession => ({ ...state, ...of });

const evolve = (state: Session, event: SessionEvent): Session => {
  switch (event.type) {
    case 'TrackingSessionStarted':
      return { status: 'open', ...event.data, shares: [] };
    case 'TrackingSessionFinished': {
      if (state.status === 'none' || state.status === 'discarded') return state;
      const { accountId, startedAt, day, clockSkewMs } = state;
      const known = { accountId, startedAt, day, ...(clockSkewMs !== undefined && { clockSkewMs }) };
      return { status: 'finished', ...known, ...event.data };
    }
    case 'TrackingSummaryCorrected':
      return state.status === 'finished' ? corrected(state, event.data) : state;
    case 'TrackingSessionDiscarded':
      return { status: 'discarded' };
    case 'TrackShared': {
      const { viewerId, expiresAt } = event.data;
      return withShares(state, (shares) => [
        ...shares.filter((one) => one.viewerId !== viewerId),
        { viewerId, expiresAt },
      ]);
    }
    case 'TrackShareEnded':
      return withShares(state, (shares) => shares.filter(({ viewerId }) => viewerId !== event.data.viewerId));
  }
};

/**
 * Refuses points that come too late.
 * @throws Rejected `invalid_transition`
 */
export const refuseLatePoints = (state: OpenSession | FinishedSession, at: string): void => {
  if (state.status === 'finished' && isAfter(at, state.acceptsPointsUntil))
    throw new Rejected(
      'invalid_transition',
      `This session accepts no more points: it was finished more than ${OFFLINE_HOURS} hours ago.`,
    );
};

/** The end that the owner has given, after which no point counts; null: there is none. */
export const givenEnd = (state: OpenSession | FinishedSession): string | null =>
  state.status === 'finished' && state.ending === 'finished' ? state.finishedAt : null;

export const trackingSession: Decider<Session, SessionCommand, SessionEvent> = {
  category: 'trackingSession',
  short: 'a track ends',
  events: sessionEvents,
  initial: { status: 'none' },
  decide,
  evolve,
};
