/** Whatever reads consents is covered by a test in which one is withdrawn. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '../..');
const textOf = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

/** Modules that answer whether somebody consents. */
const SOURCES = /from '[^']*\/consents\/(consents|audience)\.ts'/;

const BROADCASTS = [
  'test/push/broadcasts.stores.spec.ts',
  'sends marketing only to who consents, also when the consent is withdrawn in between',
] as const;
const FOLLOWING = ['test/recommendations/following.stores.spec.ts', 'consents and erasures'] as const;
/** Reader → the spec with the withdrawal, and the test in it. */
const READERS: Readonly<Record<string, readonly [spec: string, test: string]>> = {
  'api/notifications/preferences.ts': ['test/consents/consents.http.spec.ts', 'a person answers for each purpose'],
  'commands/analytics/connect.ts': [
    'test/analytics/analytics.http.spec.ts',
    'takes events from when the account consents until it withdraws',
  ],
  'commands/content/promotionNews.ts': ['test/content/promotionNews.stores.spec.ts', 'tells who consents'],
  'commands/mail/delivery.ts': ['test/mail/recipients.stores.spec.ts', 'needs a consent, and ends with one click'],
  'commands/notifications/preferences.ts': BROADCASTS,
  'commands/push/broadcastJob.ts': BROADCASTS,
  'commands/push/broadcasts.ts': BROADCASTS,
  'commands/push/deliver.ts': BROADCASTS,
  'commands/push/segment.ts': BROADCASTS,
  'commands/recommendations/connect.ts': [
    'test/recommendations/recommendations.http.spec.ts',
    'a withdrawn consent counts at once',
  ],
  'projections/recommendations/bookedBy.ts': FOLLOWING,
  'projections/recommendations/followRecommendations.ts': FOLLOWING,
  'projections/recommendations/readRecommendations.ts': FOLLOWING,
};
/** They use these modules and read nobody's consent. */
const OTHERS: Readonly<Record<string, string>> = {
  'api/mail/unsubscribe.ts': 'waits until a withdrawal is shown',
  'commands/mail/unsubscribe.ts': 'withdraws',
};

const importers = ['api', 'commands', 'projections', 'realtime', 'ops']
  .flatMap((layer) => readdirSync(path.join(ROOT, layer), { recursive: true }).map((name) => `${layer}/${name}`))
  .filter((file) => file.endsWith('.ts') && !/^\w+\/consents\//.test(file) && !/^\w+\/modules\.ts$/.test(file))
  .filter((file) => SOURCES.test(textOf(file)));

it('every reader of consents is named here', () => {
  expect(importers.toSorted()).toEqual([...Object.keys(READERS), ...Object.keys(OTHERS)].toSorted());
});

describe('a withdrawn consent ends what is done by', () => {
  it.each(Object.entries(READERS))('%s', (_, [spec, test]) => {
    expect(textOf(spec)).toContain(test);
  });
});
