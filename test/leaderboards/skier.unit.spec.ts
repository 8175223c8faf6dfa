/** What tracks count for, when they come late, and who is shown where. */
import { describe, expect, it } from 'vitest';
import { NOTHING, type Score } from '../../domain/leaderboards/score.ts';
import { type SkierCommand, type SkierEvent, skier } from '../../domain/leaderboards/skier.ts';
import { specification } from '../kit/given.ts';

const given = specification(skier);
const ANNA = '018f0000-0000-7000-8000-00000000000a';
const session = (n: number): string => `018f0000-0000-7000-8000-00000000010${n}`;
const calendar = { timezone: 'Europe/Moscow', seasonBegins: '10-01' };
const DAY = '2026-12-30';
const NOON = '2026-12-30T09:00:00.000Z';
/** 72 hours after the day has ended in Moscow. */
const CLOSE = '2027-01-02T21:00:00.000Z';
const BOARDS = ['day:2026-12-30', 'week:2026-12-28', 'month:2026-12-01', 'season:2026-10-01'];

const track = (verticalM: number) => ({ verticalM, distanceM: 4 * verticalM, runs: 2 });
const score = (verticalM: number, sessions = 1): Score => ({
  verticalM,
  distanceM: 4 * verticalM,
  runs: 2 * sessions,
  days: 1,
  sessions,
});
const count = (n: number, verticalM: number, finishedAt = NOON, at = finishedAt): SkierCommand => ({
  type: 'CountTrack',
  accountId: ANNA,
  sessionId: session(n),
  day: DAY,
  track: track(verticalM),
  cause: 'tracked',
  finishedAt,
  at,
  calendar,
});
const uncount = (n: number, cause: 'set_aside' | 'disqualified' | 'discarded' = 'set_aside'): SkierCommand => ({
  type: 'UncountTrack',
  accountId: ANNA,
  sessionId: session(n),
  day: DAY,
  cause,
  calendar,
});
const join = (at = NOON, displayName = 'Fast Anna'): SkierCommand => ({
  type: 'JoinLeaderboard',
  accountId: ANNA,
  displayName,
  at,
  calendar,
});
/** The events that commands lead to, one after the other. */
const happened = (...commands: SkierCommand[]): SkierEvent[] => {
  const events: SkierEvent[] = [];
  for (const command of commands) events.push(...skier.decide(command, given(events).state));
  return events;
};
const boards = (before: Score | null, now: Score | null, of = BOARDS) =>
  of.map((board) => ({ board, before, after: now }));

describe('a track', () => {
  it('counts once, and again when it comes to something else', () => {
    const data = { accountId: ANNA, sessionId: session(1), day: DAY, cause: 'tracked' } as const;
    given([])
      .when(count(1, 900))
      .thenOnce([{ type: 'SkiDayCounted', data: { ...data, track: track(900), total: score(900), boards: [] } }]);
    given(happened(count(1, 900)))
      .when(count(1, 950))
      .thenOnce([{ type: 'SkiDayCounted', data: { ...data, track: track(950), total: score(950), boards: [] } }]);
  });

  it('is added to the others of its day, and is shown on its boards', () => {
    given(happened(join(), count(1, 900)))
      .when(count(2, 100))
      .thenOnce([
        {
          type: 'SkiDayCounted',
          data: {
            accountId: ANNA,
            sessionId: session(2),
            day: DAY,
            cause: 'tracked',
            track: track(100),
            total: score(1_000, 2),
            boards: boards(score(900), score(1_000, 2)),
          },
        },
      ]);
  });

  it('counts until 72 hours after its day has ended at the resort, whatever period it is shown in', () => {
    expect(happened(count(1, 900, CLOSE))).toHaveLength(1);
    expect(happened(count(1, 900, '2027-01-02T21:00:00.001Z'))).toEqual([]);
  });

  it('that is taken out leaves every board, closed ones included', () => {
    const events = happened(join(), count(1, 900), uncount(1, 'disqualified'));
    expect(events.at(-1)?.data).toMatchObject({ track: null, total: NOTHING, boards: boards(score(900), null) });
    given(events).when(uncount(1, 'disqualified')).then([]);
    given(events).when(uncount(1, 'set_aside')).then([]);
  });

  it('that was set aside is recorded again when it is disqualified, and comes back when it is released', () => {
    const aside = happened(join(), count(1, 900), uncount(1));
    const disqualified = skier.decide(uncount(1, 'disqualified'), given(aside).state);
    expect(disqualified).toMatchObject([{ data: { cause: 'disqualified', boards: boards(null, null) } }]);
    const late = '2027-01-20T00:00:00.000Z';
    const released = skier.decide(
      { ...count(1, 900, NOON, late), cause: 'released' } as SkierCommand,
      given(aside).state,
    );
    // Also on the board of the day, which has closed meanwhile.
    expect(released).toMatchObject([{ data: { total: score(900), boards: boards(null, score(900)) } }]);
  });

  it('that never counted is not missed', () => given([]).when(uncount(1)).then([]));

  it('is not counted beside fifty others of the day', () => {
    const many = Array.from({ length: 50 }, (_, n) => ({
      ...count(0, 10),
      sessionId: `018f0000-0000-7000-8000-0000000002${String(n).padStart(2, '0')}`,
    })) as SkierCommand[];
    given(happened(...many))
      .when(count(1, 900))
      .then([]);
  });
});

describe('taking part', () => {
  it('begins on the boards that are not closed, with what was done before', () => {
    const events = happened(count(1, 900), count(2, 100));
    given(events)
      .when(join('2027-01-02T22:00:00.000Z'))
      .thenOnce([
        { type: 'LeaderboardJoined', data: { accountId: ANNA, displayName: 'Fast Anna' } },
        {
          type: 'LeaderboardScoresShown',
          data: { accountId: ANNA, boards: boards(null, score(1_000, 2), BOARDS.slice(1)) },
        },
      ]);
  });

  it('under another name changes the name alone', () => {
    given(happened(join()))
      .when(join(NOON, 'Slow Anna'))
      .thenOnce([{ type: 'LeaderboardJoined', data: { accountId: ANNA, displayName: 'Slow Anna' } }]);
    given([]).when(join(NOON, '[erased]')).then('invalid');
  });

  it('goes on without a name that a moderator removed, until another one is chosen', () => {
    const remove: SkierCommand = { type: 'RemoveName', accountId: ANNA, displayName: 'Fast Anna', reason: 'rude' };
    given(happened(join()))
      .when(remove)
      .thenOnce([{ type: 'LeaderboardNameRemoved', data: { accountId: ANNA, reason: 'rude' } }]);
    given(happened(join(), join(NOON, 'Slow Anna')))
      .when(remove)
      .then([]);
    given([]).when(remove).then([]);
    given(happened(join(), remove)).when(join(NOON, 'fast anna')).then('invalid');
    given(happened(join(), remove, { type: 'LeaveLeaderboard', accountId: ANNA }))
      .when(join())
      .then('invalid');
    given(happened(join(), remove))
      .when(join(NOON, 'Slow Anna'))
      .thenOnce([{ type: 'LeaderboardJoined', data: { accountId: ANNA, displayName: 'Slow Anna' } }]);
    const restore: SkierCommand = { type: 'RestoreName', accountId: ANNA };
    given(happened(join(), remove))
      .when(restore)
      .thenOnce([{ type: 'LeaderboardNameRestored', data: { accountId: ANNA, displayName: 'Fast Anna' } }]);
    given(happened(join(), remove, restore, join(NOON, 'Slow Anna')))
      .when(join())
      .then([{ type: 'LeaderboardJoined', data: { accountId: ANNA, displayName: 'Fast Anna' } }]);
    given(happened(join())).when(restore).then([]);
    expect(happened(join(), remove, count(1, 900)).at(-1)?.data).toMatchObject({ boards: boards(null, score(900)) });
  });

  it('ends on all boards, and can begin anew', () => {
    const events = happened(join(), count(1, 900));
    given(events)
      .when({ type: 'LeaveLeaderboard', accountId: ANNA })
      .thenOnce([{ type: 'LeaderboardLeft', data: { accountId: ANNA, boards: boards(score(900), null) } }]);
    const again = happened(join(), count(1, 900), { type: 'LeaveLeaderboard', accountId: ANNA }, count(2, 100), join());
    expect(again.at(-3)?.data).toMatchObject({ boards: [] });
    expect(again.at(-1)?.data).toMatchObject({ boards: boards(null, score(1_000, 2)) });
  });
});
