/**
 * What everything that holds something about people says of itself is complete and true, and `docs/privacy.md` is made of
 * it. That it is declared at all is checked in `privacy.check.spec.ts`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { TObject, TSchema } from '@sinclair/typebox';
import { describe, expect, it } from 'vitest';
import { moduleSettings } from '../../commands/modules.ts';
import { isPersonal } from '../../domain/core/schema.ts';
import { aggregates } from '../../domain/modules.ts';
import { snakeCase } from '../../infra/naming.ts';
import { legalBases, periodsOf, viewers } from '../../infra/personalData.ts';
import { lines, privacyTables, withoutPurpose } from '../../ops/privacyDocument.ts';
import { externalPersonalData } from '../../ops/processingRecord.ts';
import { allMigrations } from '../../ops/tables.ts';
import { models } from '../../projections/modules.ts';
import { columnsOfTables } from '../kit/ddl.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const tables = allMigrations.flatMap(({ personalData = {} }) => Object.entries(personalData));
const columns = columnsOfTables();

it('docs/privacy.md has the current tables (UPDATE_GOLDEN=1 writes them)', () => {
  const file = path.join(ROOT, 'docs/privacy.md');
  const text = readFileSync(file, 'utf8');
  const [start, end] = [text.indexOf('-->', text.indexOf('<!-- tables')) + 3, text.indexOf('<!-- /tables -->')];
  const tables = privacyTables();
  if (process.env.UPDATE_GOLDEN) writeFileSync(file, `${text.slice(0, start)}\n\n${tables}\n\n${text.slice(end)}`);
  else expect(text.slice(start, end).trim()).toBe(tables);
});

describe('what holds something about people', () => {
  it.each([
    ...lines.map((line) => [line.thing, line] as const),
    ...externalPersonalData.map((one) => [one.what, one] as const),
  ])(
    '%s says why, on which basis, for whom, how it is exported and erased',
    (_, { why, seenBy = why.seenBy, exported, erased }) => {
      for (const text of [why.purpose, exported, erased]) expect(text).toMatch(/\w/);
      expect(Object.keys(legalBases)).toContain(why.basis);
      expect(seenBy.length).toBeGreaterThan(0);
      expect(seenBy.filter((viewer) => !(viewer in viewers))).toEqual([]);
    },
  );

  it('is shown to the person unless only programs see it', () => {
    const hidden = lines.filter(
      ({ why, seenBy = why.seenBy, exported }) => exported.startsWith('no: nothing') && !seenBy.includes('nobody'),
    );
    expect(hidden.map(({ thing }) => thing)).toEqual([]);
  });

  it('says in the log, too, why', () => expect(withoutPurpose).toEqual([]));
});

describe('a period', () => {
  const all = [
    ...tables.map(([table, { retention = [] }]) => ({ table, retention, columns: columns.get(table) ?? [] })),
    ...models.map(({ name, personalData, row }) => ({
      table: `read.${name}`,
      retention: personalData?.retention ?? [],
      columns: Object.keys(row.properties),
    })),
  ].flatMap(({ retention, ...rest }) => periodsOf(retention).map((period) => ({ ...rest, period })));

  it.each(all.map((each) => [each.table, each] as const))(
    'of %s begins at a column, and its setting exists',
    (_, each) => {
      expect(each.columns).toContain(each.period.after);
      if (typeof each.period.days === 'string') expect(Object.keys(moduleSettings)).toContain(each.period.days);
    },
  );

  /** What keeps a period that the job over the declarations does not, and the spec that shows it. */
  const KEEPERS: Readonly<Record<string, readonly [spec: string, test: string]>> = {
    'the job `story_end`': ['test/stories/stories.stores.spec.ts', 'storyEnd'],
    '`pruneNotifications`': ['test/notifications/list.stores.spec.ts', 'pruneNotifications'],
    '`prunePush`': ['test/push/push.stores.spec.ts', 'prunePush'],
    '`pruneAnalytics`': ['test/analytics/analytics.stores.spec.ts', 'pruneAnalytics'],
  };

  it('is kept by something that a spec shows', () => {
    const keepers = new Set(all.flatMap(({ period }) => period.by ?? []));
    expect([...keepers].toSorted()).toEqual(Object.keys(KEEPERS).toSorted());
    for (const [spec, name] of Object.values(KEEPERS))
      expect(readFileSync(path.join(ROOT, spec), 'utf8')).toContain(name);
  });
});

/** Names of columns and fields that are usually about a person. */
const LOOKS_PERSONAL =
  /(^|_)(author|holder|name|email|phone|ip|user_agent|address|birth_date|passport|inn|last4|exp|lat|lon|latitude|longitude|position|track|location|text|body|messages?|comment|notes?|reason|documents|sha256|persons)$/;
/** Of tables that say that they hold nothing: ids of people, too. */
const NAMES_PEOPLE = /(^|_)(person|account|user|owner|seller)_id$/;

const GOODS = 'what is offered or bought';
const MOUNTAIN = 'the mountain';
const ADMINS = 'what admins write about the platform';
/** Read model → why what looks personal is not. A new column that looks personal is refused until it is named here. */
const COLUMNS: Readonly<Record<string, readonly [why: string, ...columns: string[]]>> = {
  api_keys: ['a partner', 'name'],
  calls: ['one of few codes', 'end_reason'],
  flag_segments: [ADMINS, 'name'],
  platform_config_revisions: [ADMINS, 'reason'],
  plan_config_revisions: [ADMINS, 'reason'],
  ledger_adjustments: [ADMINS, 'reason', 'rejection_reason'],
  badges: [ADMINS, 'name'],
  pass_closed_dates: [ADMINS, 'reason'],
  forum_categories: ['its place in the list', 'position'],
  resort_lifts: [MOUNTAIN, 'name'],
  resort_slopes: [MOUNTAIN, 'name'],
  lift_states: [MOUNTAIN, 'reason'],
  slope_states: [MOUNTAIN, 'reason'],
  webcams: [MOUNTAIN, 'name', 'longitude', 'latitude'],
  ski_pass_tariffs: [GOODS, 'name'],
  insurance_products: [GOODS, 'name'],
  passes: [`${GOODS}; a place in the log`, 'tariff_name', 'revoked_position'],
  purchases: [GOODS, 'product_name'],
  pass_scans: ['one of few codes', 'reason'],
  payouts: ['what the bank says', 'reason'],
  payments: ['why this provider was chosen', 'provider_reason'],
  voice_recordings: ['where the file is', 'location'],
};
/** Category of streams → why what looks personal in their events is not, by the last part of its name. */
const FIELDS: Readonly<Record<string, readonly [why: string, ...names: string[]]>> = {
  insuranceProduct: [GOODS, 'name'],
  skiPassTariff: [GOODS, 'name'],
  booking: ['a line of the price', 'name'],
  trip: ['a line of the price', 'name'],
  purchase: [GOODS, 'productName', 'name'],
  pass: [GOODS, 'tariffName'],
  ownerAccount: ['what the bank says', 'reason'],
  adjustment: [ADMINS, 'reason'],
  payment: [ADMINS, 'reason'],
  passClosures: [ADMINS, 'reason'],
  flagRules: [ADMINS, 'name', 'reason'],
  platformConfig: [ADMINS, 'rescue_phone', 'reason'],
  planConfig: [ADMINS, 'reason'],
  broadcast: [ADMINS, 'body'],
  post: [ADMINS, 'body', 'latitude', 'longitude'],
  resortStory: [ADMINS, 'text'],
  apiKey: ['a partner', 'name'],
  lift: [MOUNTAIN, 'name', 'note', 'reason'],
  slope: [MOUNTAIN, 'name', 'note', 'reason'],
  liftState: [MOUNTAIN, 'reason'],
  slopeState: [MOUNTAIN, 'reason'],
  resortReport: [MOUNTAIN, 'name', 'text', 'latitude', 'longitude'],
  webcam: [MOUNTAIN, 'name', 'latitude', 'longitude'],
  forumCategory: ['its place in the list', 'position'],
  voiceRecording: ['where the file is', 'location'],
};
/** Table that holds nothing to read → the columns by which it looks as if it did. Its `nothing` says what they are. */
const TABLES: Readonly<Record<string, readonly string[]>> = {
  'ops.booked_times': ['user_id'],
  'ops.checkpoints': ['name'],
  'ops.erased_parts': ['holder'],
  'ops.erasure_corrections': ['holder'],
  'ops.erasures': ['person_id'],
  'ops.leases': ['holder', 'name'],
  'ops.lift_stations': ['lat', 'lon'],
  'ops.log': ['first_position'],
  'ops.outside_erasures': ['holder'],
  'ops.owned_listings': ['owner_id'],
  'ops.parked': ['reason'],
  'ops.read_models': ['name'],
  'ops.sandbox_messages': ['phone', 'text'],
  'ops.token_versions': ['account_id'],
  'ops.unpaid_bookings': ['user_id'],
  'ops.vault': ['name'],
  'ops.vault_keys': ['person_id'],
  'ops.webhook_inbox': ['reason'],
};

/** The names of an event's fields that hold texts or numbers, without those marked as personal and those with ids. */
const openFields = (schema: TSchema, name = ''): string[] => {
  if (isPersonal(schema) || schema.type === 'null') return [];
  if (schema.properties)
    return Object.entries((schema as TObject).properties).flatMap(([inner, one]) => openFields(one, inner));
  if (schema.type === 'array') return openFields(schema.items, name);
  const members: readonly TSchema[] | undefined = schema.anyOf ?? schema.oneOf;
  if (members) return members.flatMap((inner) => openFields(inner, name));
  return schema.enum || schema.const !== undefined || schema.format === 'uuid' ? [] : [name];
};

describe('what looks personal is declared, or it is said here why it is not', () => {
  it('in read models', () => {
    const found = models.flatMap(({ name, row, personalData }) => {
      const declared = [...(personalData?.texts ?? []), ...(personalData?.values ?? [])].map((at) => at.split('.')[0]);
      const open = Object.keys(row.properties).filter((one) => LOOKS_PERSONAL.test(one) && !declared.includes(one));
      return open.length === 0 ? [] : [[name, open.toSorted()] as const];
    });
    const said = Object.entries(COLUMNS).map(([name, [, ...open]]) => [name, open.toSorted()] as const);
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(said));
  });

  it('in events', () => {
    const found = aggregates.flatMap(({ category, events }) => {
      const open = Object.values(events).flatMap(({ data }) => openFields(data));
      const names = [...new Set(open)].filter((name) => LOOKS_PERSONAL.test(snakeCase(name))).toSorted();
      return names.length === 0 ? [] : [[category, names] as const];
    });
    const said = Object.entries(FIELDS).map(([category, [, ...names]]) => [category, names.toSorted()] as const);
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(said));
  });

  it('in durable tables', () => {
    const found = tables.flatMap(([table, declared]) => {
      const open = (columns.get(table) ?? []).filter((one) => LOOKS_PERSONAL.test(one) || NAMES_PEOPLE.test(one));
      return !('nothing' in declared) || open.length === 0 ? [] : [[table, open.toSorted()] as const];
    });
    expect(Object.fromEntries(found)).toEqual(TABLES);
  });
});
