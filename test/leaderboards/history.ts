/** Random histories of people on leaderboards, decided as in life, and what a plain sort makes of them. */
import fc from 'fast-check';
import { addDays } from '../../domain/core/dates.ts';
import type { AnyEvent } from '../../domain/core/decider.ts';
import { boardsOf, type Calendar } from '../../domain/leaderboards/board.ts';
import { type Metric, metrics, type Score, type TrackScore } from '../../domain/leaderboards/score.ts';
import { type Skier, type SkierCommand, type SkierEvent, skier } from '../../domain/leaderboards/skier.ts';

const calendar: Calendar = { timezone: 'Europe/Moscow', seasonBegins: '10-01' };
const FIRST_DAY = '2026-12-26';
const idOf = (kind: number, n: number): string => `018f0000-0000-7000-8${kind}00-${String(n).padStart(12, '0')}`;
export const personOf = (n: number): string => idOf(1, n);

interface Step {
  readonly person: number;
  readonly kind: 'count' | 'late' | 'set_aside' | 'disqualified' | 'release' | 'join' | 'leave';
  readonly session: number;
  readonly day: number;
  readonly amount: number;
}

/** Few different numbers, so that many people share a score. */
export const anyHistory = (people: number, maxLength: number): fc.Arbitrary<Step[]> =>
  fc.array(
    fc.record({
      person: fc.nat(people - 1),
      kind: fc.constantFrom(
        'count',
        'count',
        'count',
        'late',
        'set_aside',
        'disqualified',
        'release',
        'join',
        'join',
        'leave',
      ),
      session: fc.nat(2),
      day: fc.nat(9),
      amount: fc.constantFrom(1, 2, 100, 127, 128, 129, 900, 901, 5_000),
    }),
    { minLength: maxLength / 2, maxLength },
  ) as fc.Arbitrary<Step[]>;

const trackOf = (amount: number): TrackScore => ({ verticalM: amount, distanceM: 3 * amount, runs: 1 + (amount % 3) });

const commandOf = ({ person, kind, session, day: offset, amount }: Step, nowDay: string): SkierCommand => {
  const accountId = personOf(person);
  const day = addDays(FIRST_DAY, offset);
  const at = `${nowDay}T09:00:00.000Z`;
  const of = { accountId, sessionId: idOf(2, person * 100 + offset * 10 + session), day, calendar };
  switch (kind) {
    case 'join':
      return { type: 'JoinLeaderboard', accountId, displayName: `Skier ${person} ${amount}`, at, calendar };
    case 'leave':
      return { type: 'LeaveLeaderboard', accountId };
    case 'count':
    case 'release': {
      const finishedAt = `${day}T12:00:00.000Z`;
      const cause = kind === 'count' ? 'tracked' : 'released';
      return { type: 'CountTrack', ...of, track: trackOf(amount), cause, finishedAt, at };
    }
    case 'late':
      return { type: 'CountTrack', ...of, track: trackOf(amount), cause: 'tracked', finishedAt: at, at };
    default:
      return { type: 'UncountTrack', ...of, cause: kind };
  }
};

export interface Played {
  readonly events: readonly { readonly accountId: string; readonly event: SkierEvent & AnyEvent }[];
  readonly states: ReadonlyMap<string, Skier>;
}

/** A day passes with every few steps. */
export const commandsOf = (history: readonly Step[]) =>
  history.map((step, index) => ({
    accountId: personOf(step.person),
    command: commandOf(step, addDays(FIRST_DAY, Math.floor(index / 8))),
  }));

export const play = (history: readonly Step[]): Played => {
  const states = new Map<string, Skier>();
  const events: { accountId: string; event: SkierEvent }[] = [];
  for (const { accountId, command } of commandsOf(history)) {
    let state = states.get(accountId) ?? skier.initial;
    for (const event of skier.decide(command, state)) {
      events.push({ accountId, event });
      state = skier.evolve(state, event);
    }
    states.set(accountId, state);
  }
  return { events, states };
};

/** Board → who is on it, by what each person's tracks come to. */
export const boardsBySum = ({ states }: Pick<Played, 'states'>): Map<string, Map<string, Score>> => {
  const boards = new Map<string, Map<string, Score>>();
  for (const [accountId, { boards: shown }] of states)
    for (const [board, score] of Object.entries(shown))
      if (score.days > 0) boards.set(board, (boards.get(board) ?? new Map()).set(accountId, score));
  return boards;
};

/** What the tracks of a person that count come to on a board. */
export const sumOnBoard = ({ days }: Skier, board: string): Score => {
  const sum = { verticalM: 0, distanceM: 0, runs: 0, days: 0, sessions: 0 };
  for (const [day, tracks] of Object.entries(days)) {
    if (!boardsOf(day, calendar).some((one) => one.board === board)) continue;
    const counted = Object.values(tracks).flatMap(({ track }) => track ?? []);
    sum.days += counted.length > 0 ? 1 : 0;
    sum.sessions += counted.length;
    for (const { verticalM, distanceM, runs } of counted) {
      sum.verticalM += verticalM;
      sum.distanceM += distanceM;
      sum.runs += runs;
    }
  }
  return sum;
};

/** The plain sort: equal scores share a rank, and people of one rank are in the order of their ids. */
export const sorted = (people: ReadonlyMap<string, Score>, metric: Metric) => {
  const scores = [...people].map(([account_id, score]) => ({ account_id, score: score[metrics[metric]] }));
  return scores
    .toSorted((a, b) => b.score - a.score || (a.account_id < b.account_id ? -1 : 1))
    .map(({ account_id, score }) => ({
      account_id,
      score,
      rank: 1 + scores.filter((one) => one.score > score).length,
    }));
};
