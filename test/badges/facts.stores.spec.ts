/** Who has reached a badge, by PostgreSQL for everybody and by the rule for one person: always the same people. */
import { beforeAll, expect, it } from 'vitest';
import { clearFact, countReached, factsOf, pageReached, recordFact } from '../../commands/badges/badgeFacts.ts';
import { type BadgeRule, badgeWindows, isReached } from '../../domain/badges/rule.ts';
import { addDays } from '../../domain/core/dates.ts';
import { previewIsResult } from '../kit/previews.ts';
import { randomFrom } from '../kit/random.ts';
import { freshStores, type Stores } from '../kit/stores.ts';
import { idOf } from '../tracking/fixtures.ts';

const SEASON = '10-01';
const PEOPLE = 30;
let stores: Stores;
beforeAll(async () => {
  stores = await freshStores();
});

// Who is counted is who gets it: the look back awards page by page.
previewIsResult('POST /api/v1/badges/admin/preview', async () => {
  const { pool } = stores;
  const random = randomFrom();
  for (let n = 0; n < 300; n += 1) {
    // Around the end of a year, the begin of a season and many Mondays.
    const day = addDays(random() < 0.5 ? '2026-09-20' : '2026-12-20', Math.floor(random() * 25));
    const of = { metric: 'runs', accountId: idOf(Math.floor(random() * PEOPLE)), source: day, day } as const;
    await recordFact(pool, { ...of, amount: 1 + Math.floor(random() * 9), revision: BigInt(n) });
  }
  const facts = await Promise.all(Array.from({ length: PEOPLE }, async (_, n) => factsOf(pool, idOf(n))));
  for (const window of badgeWindows)
    for (const season of [null, 2025, 2026])
      for (const threshold of [5, 12, 30]) {
        const rule: BadgeRule = { metric: 'runs', threshold, window, season };
        const expected = facts.flatMap((own, n) => (isReached(rule, own, SEASON) ? [idOf(n)] : []));
        const found: string[] = [];
        for (let page: string[] = [], after: string | null = null; ; after = page.at(-1) ?? null) {
          page = await pageReached(pool, rule, SEASON, { after, limit: 4 });
          found.push(...page);
          if (page.length < 4) break;
        }
        expect([rule, found]).toEqual([rule, expected]);
        expect(await countReached(pool, rule, SEASON)).toBe(expected.length);
      }
});

it('the last event of a record counts, in whatever order they come, and nothing is kept of nobody', async () => {
  const { pool } = stores;
  const [person, nobody] = [idOf(900), idOf(901)];
  const of = { metric: 'reviews', accountId: person, source: 'a review', day: '2026-12-30' } as const;
  await recordFact(pool, { ...of, amount: 1, revision: 3n });
  await recordFact(pool, { ...of, amount: 5, revision: 2n });
  expect(await factsOf(pool, person)).toEqual([{ metric: 'reviews', day: '2026-12-30', amount: 1 }]);
  await clearFact(pool, { metric: 'reviews', source: 'a review', revision: 4n });
  await recordFact(pool, { ...of, amount: 1, revision: 3n });
  expect(await factsOf(pool, person)).toEqual([]);
  await recordFact(pool, { ...of, accountId: nobody, amount: 0, revision: 9n });
  const { rows } = await pool.query('select from ops.badge_facts where account_id = $1', [nobody]);
  expect(rows).toHaveLength(0);
});

it('facts that are written together are those of their last events', async () => {
  const { pool } = stores;
  const people = [idOf(902), idOf(903)];
  const of = { metric: 'passes', source: '2026-12-30', day: '2026-12-30' } as const;
  // The passes of a family, and events of one record that were handled out of order.
  await Promise.all(
    people.flatMap((accountId) =>
      [3n, 5n, 4n].map((revision) => recordFact(pool, { ...of, accountId, amount: Number(revision), revision })),
    ),
  );
  for (const person of people)
    expect(await factsOf(pool, person)).toEqual([{ metric: 'passes', day: '2026-12-30', amount: 5 }]);
});
