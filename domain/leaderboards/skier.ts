/**
 * What the tracks of a person count for, and on which boards the person is shown. All of an account is one stream, so that
 * a score, a track that is taken out and an opt-out are decided one after the other. Only boards that the person has joined
 * show anything.
 */
import { type Static, Type } from '@sinclair/typebox';
import { addDays } from '../core/dates.ts';
import { type Decider, type EventDeclarations, type EventsOf, Rejected } from '../core/decider.ts';
import { markOf, NO_WORDS, saidBefore } from '../core/saidBefore.ts';
import { DateOnly, isPlaceholder, Nullable, OneOf, Personal, ReasonText, Uuid } from '../core/schema.ts';
import { boardsOf, type Calendar, isClosed } from './board.ts';
import { dayScore, minus, NOTHING, plus, Score, TrackScore } from './score.ts';
import { type Cause, causes, initial, type Skier, skierSnapshot } from './skierState.ts';

export type { Cause, Skier } from './skierState.ts';

export const DisplayName = Type.String({ minLength: 2, maxLength: 40 });

/** The score of the person on a board before and after; null: not shown on it. */
const BoardScores = Type.Array(Type.Object({ board: Type.String(), before: Nullable(Score), after: Nullable(Score) }));
type BoardScore = Static<typeof BoardScores>[number];

const skierEvents = {
  /**
   * A track counts, counts for something else, or counts no more (`track` is null). `total`: the score of its day. `boards`:
   * those that show the person.
   */
  SkiDayCounted: {
    data: Type.Object({
      accountId: Uuid,
      sessionId: Uuid,
      day: DateOnly,
      cause: OneOf(causes),
      track: Nullable(TrackScore),
      total: Score,
      boards: BoardScores,
    }),
  },
  /** Again under another name. */
  LeaderboardJoined: {
    data: Type.Object({ accountId: Uuid, displayName: Personal(Type.String()) }),
    person: 'accountId',
  },
  /** By an admin. The person is shown without a name until they choose another one. `reason`: for the person. */
  LeaderboardNameRemoved: {
    data: Type.Object({ accountId: Uuid, reason: Personal(ReasonText) }),
    person: 'accountId',
  },
  /** By an admin, after an appeal: the person is shown with the name again, unless they have chosen another one. */
  LeaderboardNameRestored: {
    data: Type.Object({ accountId: Uuid, displayName: Personal(Type.String()) }),
    person: 'accountId',
  },
  /** The boards that were not closed when the person joined, with what the person had done by then. */
  LeaderboardScoresShown: { data: Type.Object({ accountId: Uuid, boards: BoardScores }) },
  /** No board shows the person any more, closed ones included. */
  LeaderboardLeft: { data: Type.Object({ accountId: Uuid, boards: BoardScores }) },
} as const satisfies EventDeclarations;
export type SkierEvent = EventsOf<typeof skierEvents>;

/** `at`: now, RFC 3339. */
export type SkierCommand =
  /** `finishedAt`: when the track, or its late points, arrived. What comes after its day has closed does not count. */
  | {
      readonly type: 'CountTrack';
      readonly accountId: string;
      readonly sessionId: string;
      readonly day: string;
      readonly track: TrackScore;
      readonly cause: Extract<Cause, 'tracked' | 'released'>;
      readonly finishedAt: string;
      readonly at: string;
      readonly calendar: Calendar;
    }
  /** Also after its day has closed. */
  | {
      readonly type: 'UncountTrack';
      readonly accountId: string;
      readonly sessionId: string;
      readonly day: string;
      readonly cause: Exclude<Cause, 'tracked' | 'released'>;
      readonly calendar: Calendar;
    }
  | {
      readonly type: 'JoinLeaderboard';
      readonly accountId: string;
      readonly displayName: string;
      readonly at: string;
      readonly calendar: Calendar;
    }
  /** `displayName`: the one that was reported. Another one stays. */
  | {
      readonly type: 'RemoveName';
      readonly accountId: string;
      readonly displayName: string;
      readonly reason: string;
    }
  /** The name that was removed last. */
  | { readonly type: 'RestoreName'; readonly accountId: string }
  | { readonly type: 'LeaveLeaderboard'; readonly accountId: string };

/** Tracks of a day beyond these do not count: nobody records so many, and the state stays small. */
const MAX_TRACKS_A_DAY = 50;
/**
 * For this long, tracks can be taken out of the score, released, and counted when a person joins: longer than a season.
 */
const KEPT_DAYS = 400;

const tracksOf = (state: Skier, day: string): TrackScore[] =>
  Object.values(state.days[day] ?? {}).flatMap(({ track }) => track ?? []);

type BoardOfDay = ReturnType<typeof boardsOf>[number];

const sameTrack = (a: TrackScore, b: TrackScore): boolean =>
  a.verticalM === b.verticalM && a.distanceM === b.distanceM && a.runs === b.runs;

/** Somebody without a day is not shown. */
const shown = (score: Score): Score | null => (score.days > 0 ? score : null);

type Change = Extract<SkierCommand, { type: 'CountTrack' | 'UncountTrack' }>;

/** @param isShownOn whether a board shows the person, or will from now on */
const counted = (
  state: Skier,
  { accountId, sessionId, day, cause, calendar }: Change,
  track: TrackScore | null,
  isShownOn: (of: BoardOfDay) => boolean,
): SkierEvent[] => {
  const before = dayScore(tracksOf(state, day));
  const others = Object.entries(state.days[day] ?? {}).flatMap(([id, one]) =>
    id === sessionId ? [] : (one.track ?? []),
  );
  const total = dayScore(track ? [...others, track] : others);
  const boards = boardsOf(day, calendar)
    .filter(isShownOn)
    .map(({ board }): BoardScore => {
      const known = state.boards[board] ?? NOTHING;
      return { board, before: shown(known), after: shown(plus(known, minus(total, before))) };
    });
  return [{ type: 'SkiDayCounted', data: { accountId, sessionId, day, cause, track, total, boards } }];
};

const count = (command: Extract<SkierCommand, { type: 'CountTrack' }>, state: Skier): SkierEvent[] => {
  const { sessionId, day, track, finishedAt, at, calendar } = command;
  if (isClosed({ endsOn: day }, finishedAt, calendar)) return [];
  const tracks = state.days[day] ?? {};
  const known = tracks[sessionId];
  if (known?.track && sameTrack(known.track, track)) return [];
  if (!known && Object.keys(tracks).length >= MAX_TRACKS_A_DAY) return [];
  return counted(
    state,
    command,
    track,
    (of) => state.displayName !== null && (of.board in state.boards || !isClosed(of.period, at, calendar)),
  );
};

const uncount = (command: Extract<SkierCommand, { type: 'UncountTrack' }>, state: Skier): SkierEvent[] => {
  const known = state.days[command.day]?.[command.sessionId];
  if (!known) return [];
  // One that was set aside is recorded again once it is disqualified: what was earned by it is then taken back.
  const isNews = known.track !== null || (command.cause === 'disqualified' && known.cause !== 'disqualified');
  return isNews ? counted(state, command, null, ({ board }) => board in state.boards) : [];
};

const join = (command: Extract<SkierCommand, { type: 'JoinLeaderboard' }>, state: Skier): SkierEvent[] => {
  const { accountId, displayName, at, calendar } = command;
  if (isPlaceholder(displayName))
    throw new Rejected('invalid', 'This name is reserved. Choose another one.', { fields: ['display_name'] });
  if (state.removedName?.toLowerCase() === displayName.toLowerCase())
    throw new Rejected('invalid', 'This name was removed by a moderator. Choose another one.', {
      fields: ['display_name'],
    });
  if (state.displayName === displayName) return [];
  const joined: SkierEvent = { type: 'LeaderboardJoined', data: { accountId, displayName } };
  if (state.displayName !== null) return [joined];
  const scores = new Map<string, Score>();
  for (const day of Object.keys(state.days))
    for (const { board, period } of boardsOf(day, calendar))
      if (!isClosed(period, at, calendar))
        scores.set(board, plus(scores.get(board) ?? NOTHING, dayScore(tracksOf(state, day))));
  const boards = [...scores].flatMap(([board, score]): BoardScore[] => {
    const after = shown(score);
    return after ? [{ board, before: null, after }] : [];
  });
  return boards.length === 0 ? [joined] : [joined, { type: 'LeaderboardScoresShown', data: { accountId, boards } }];
};

const leave = (accountId: string, state: Skier): SkierEvent[] => {
  if (state.displayName === null) return [];
  const boards = Object.entries(state.boards).flatMap(([board, score]): BoardScore[] => {
    const before = shown(score);
    return before ? [{ board, before, after: null }] : [];
  });
  return [{ type: 'LeaderboardLeft', data: { accountId, boards } }];
};

const decide = (command: SkierCommand, state: Skier): SkierEvent[] => {
  switch (command.type) {
    case 'CountTrack':
      return count(command, state);
    case 'UncountTrack':
      return uncount(command, state);
    case 'JoinLeaderboard':
      return join(command, state);
    case 'RemoveName': {
      const { accountId, displayName, reason } = command;
      if (state.displayName !== displayName) return [];
      if (state.removedName === displayName)
        return saidBefore('This name was removed before', state.removedFor, reason);
      return [{ type: 'LeaderboardNameRemoved', data: { accountId, reason } }];
    }
    case 'RestoreName': {
      const { accountId } = command;
      if (state.removedName === null) return [];
      return [{ type: 'LeaderboardNameRestored', data: { accountId, displayName: state.removedName } }];
    }
    case 'LeaveLeaderboard':
      return leave(command.accountId, state);
  }
};

const withScores = (boards: Skier['boards'], changes: readonly BoardScore[]): Skier['boards'] => ({
  ...boards,
  ...Object.fromEntries(changes.map(({ board, after }) => [board, after ?? NOTHING])),
});

/** Without the days that are so old that nothing about them changes any more. */
const recent = (days: Skier['days'], newest: string): Skier['days'] => {
  const oldest = addDays(newest, -KEPT_DAYS);
  return Object.fromEntries(Object.entries(days).filter(([day]) => day >= oldest));
};

const evolve = (before: Skier, event: SkierEvent): Skier => {
  const state = { ...before, accountId: event.data.accountId };
  switch (event.type) {
    case 'SkiDayCounted': {
      const { day, sessionId, track, cause, boards } = event.data;
      const days = { ...state.days, [day]: { ...state.days[day], [sessionId]: { track, cause } } };
      return { ...state, days: recent(days, day), boards: withScores(state.boards, boards) };
    }
    case 'LeaderboardJoined':
      return { ...state, displayName: event.data.displayName };
    case 'LeaderboardNameRemoved':
      return {
        ...state,
        removedName: state.displayName,
        removedFor: markOf(event.data.reason),
        removals: state.removals + 1,
      };
    case 'LeaderboardNameRestored':
      return { ...state, removedName: null, removedFor: NO_WORDS };
    case 'LeaderboardScoresShown':
      return { ...state, boards: withScores(state.boards, event.data.boards) };
    case 'LeaderboardLeft':
      return { ...state, displayName: null, boards: {} };
  }
};

export const skier: Decider<Skier, SkierCommand, SkierEvent> = {
  category: 'skier',
  events: skierEvents,
  initial,
  decide,
  evolve,
  snapshot: skierSnapshot,
};
