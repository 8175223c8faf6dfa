/** Flags and consents on a real database: memory follows the tables, and consents of many people are asked at once. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { audiencePolicy, seemToConsent } from '../../commands/consents/audience.ts';
import { answerConsent, hasConsent as hasConsentInLog, publishPolicy } from '../../commands/consents/consents.ts';
import { handleEvents, policyRetry } from '../../commands/core/policy.ts';
import { patchConfig } from '../../commands/platform/config.ts';
import type { Recorded } from '../../domain/core/decider.ts';
import { ONLY_ONE } from '../../domain/core/schema.ts';
import { inTransaction } from '../../infra/postgres.ts';
import { withConsent } from '../../projections/consents/consents.ts';
import { applyBatch } from '../../projections/engine/applyEvents.ts';
import { type Positions, watchPositions } from '../../projections/engine/positions.ts';
import { readDb } from '../../projections/engine/readDb.ts';
import { ensureTables } from '../../projections/engine/tableVersions.ts';
import { flagRulesNow } from '../../projections/flags/rules.ts';
import { groups, models } from '../../projections/modules.ts';
import { followConfig, lastRescuePhone } from '../../projections/platform/config.ts';
import { contextOf } from '../kit/context.ts';
import { testDeps } from '../kit/deps.ts';
import { happened } from '../kit/projected.ts';
import { freshStores, type Stores } from '../kit/stores.ts';
import { until } from '../kit/until.ts';

const AT = '2027-01-01T00:00:00.000Z';
let stores: Stores;
let positions: Positions;
beforeAll(async () => {
  stores = await freshStores();
  await ensureTables(stores.pool, groups);
  positions = await watchPositions(stores.pool, stores.databaseUrl, stores.log, models);
});
afterAll(async () => {
  await positions.stop();
});

const shown = models.filter(({ name }) => name !== 'audit_events'); // made of positions in a log
const project = (events: readonly Recorded[]) =>
  inTransaction(stores.pool, async (client) => {
    for (const model of shown)
      await applyBatch(client, { model, table: model.name, publishes: true }, events, new Map(), async (_, reason) => {
        throw new Error(reason);
      });
  });
const flag = (type: string, data: object) => happened('flagRules', ONLY_ONE, { type, data }, AT);

it('flags are read once, and again after each change and each lost connection', async () => {
  const db = readDb(stores.pool);
  const rules = () => flagRulesNow({ db, positions });
  const isOn = async () => (await rules()).flags.get('map')?.enabled;
  expect(await isOn()).toBeUndefined();
  expect(await rules()).toBe(await rules());
  const definition = {
    description: '',
    condition: { strategies: [], parents: [] },
    payload: { variants: [] },
    expires: null,
  };
  await project([flag('FeatureFlagCreated', { key: 'map', enabled: true, definition, reason: null })]);
  await until(async () => (await isOn()) === true);
  expect(await rules()).toBe(await rules());

  await stores.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name like '%positions%'`,
  );
  await until(() => !positions.isListening());
  await project([flag('FeatureFlagSwitched', { key: 'map', enabled: false, reason: null })]);
  await until(async () => (await isOn()) === false);
  await until(() => positions.isListening());
  expect(await rules()).toBe(await rules());
});

it('a consent counts until it is withdrawn or its policy changes, in the log and in both tables', async () => {
  const node = testDeps(stores);
  const db = readDb(stores.pool);
  const [anna, boris] = [randomUUID(), randomUUID()];
  const answer = { purpose: 'marketing', policyVersion: '1', granted: true, userAgent: null } as const;
  const told = (person: string, data: object) =>
    happened('consent', person, { type: 'ConsentAnswered', data: { ...answer, ...data } }, AT);
  const seem = (...people: string[]) => seemToConsent(node, 'marketing', people);
  const handle = (...events: ReturnType<typeof told>[]) =>
    handleEvents(node, audiencePolicy, policyRetry<typeof node>([]), { events, unreadable: [] });
  for (const person of [anna, boris]) await answerConsent(node, contextOf(person), person, answer);
  expect(await hasConsentInLog(node, anna, 'marketing')).toBe(true);
  expect(await hasConsentInLog(node, anna, 'analytics')).toBe(false);
  await project([told(anna, {}), told(boris, {})]);
  expect(await withConsent(db, 'marketing', [anna, boris, randomUUID()])).toEqual(new Set([anna, boris]));
  const [before, after] = [told(boris, {}), told(boris, { granted: false })].map((event, n) => ({
    ...event,
    revision: BigInt(n),
  })) as [ReturnType<typeof told>, ReturnType<typeof told>];
  await handle(told(anna, {}), before, told(boris, { purpose: 'analytics' }));
  expect(await seem(boris, randomUUID(), anna)).toEqual([true, false, true]);

  await answerConsent(node, contextOf(boris), boris, { ...answer, granted: false });
  expect(await hasConsentInLog(node, boris, 'marketing')).toBe(false);
  await project([told(boris, { granted: false })]);
  expect(await withConsent(db, 'marketing', [anna, boris])).toEqual(new Set([anna]));
  await handle(after);
  await handle(before); // again: an older answer changes nothing
  expect(await seem(anna, boris)).toEqual([true, false]);
  expect(await seemToConsent(node, 'analytics', [anna, boris])).toEqual([false, true]);

  const policy = { version: '2', url: null };
  await publishPolicy(node, contextOf(randomUUID(), 'admin'), 'marketing', policy);
  await until(async () => !(await hasConsentInLog(node, anna, 'marketing')));
  const published = { type: 'ConsentPolicyPublished', data: { purpose: 'marketing', ...policy } };
  await project([happened('consentPolicies', ONLY_ONE, published, AT)]);
  expect(await withConsent(db, 'marketing', [anna])).toEqual(new Set());
  expect(await seem(anna)).toEqual([false]);
});

it('the rescue phone is the one of the configuration as it was read last', async () => {
  const deps = { db: readDb(stores.pool), positions };
  await followConfig(deps);
  expect(lastRescuePhone(deps)).toBe('112');
  const node = testDeps(stores);
  const { revision, config } = await patchConfig(
    node,
    contextOf(randomUUID(), 'admin'),
    { rescue_phone: '103' },
    { reason: null },
  );
  const data = { revision, config, revertsTo: null, reason: null };
  await project([happened('platformConfig', ONLY_ONE, { type: 'PlatformConfigChanged', data }, AT)]);
  await until(() => lastRescuePhone(deps) === '103');
});
