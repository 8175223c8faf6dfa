/** Every durable table and every read model says what it holds about a person, and how that is shown and erased. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TObject, type TSchema, TypeGuard } from '@sinclair/typebox';
import { describe, expect, it } from 'vitest';
import { ERASED, isPersonal } from '../../domain/core/schema.ts';
import { aggregates, allEvents } from '../../domain/modules.ts';
import { shown } from '../../eventstore/history.ts';
import { personalFields, replaceAt } from '../../eventstore/personalPaths.ts';
import { deletingColumns, type PersonalTables, tablesAboutPeople } from '../../infra/personalData.ts';
import { exportSchemaText, exportSections } from '../../ops/processingRecord.ts';
import { allMigrations } from '../../ops/tables.ts';
import { ownDataOf, personalEvents } from '../../projections/audit/personalEvents.ts';
import { withoutPerson } from '../../projections/engine/personalRows.ts';
import type { Json, ReadModel } from '../../projections/engine/readModel.ts';
import { models } from '../../projections/modules.ts';
import { columnsOfTables } from '../kit/ddl.ts';
import { happened } from '../kit/projected.ts';

/** What an id is of, when it is not of a person. An id of anything else is taken for that of a person. */
const THINGS =
  /^(id|(address|badge|booking|call|category|certificate|correlation|device|egress|event|file|first_event|hotel|incident|item|key|lift|listing|master_key|message|name|open_payment|other_session|pass|payment|payment_method|payout|phone|photo|post|product|promo_code|purchase|recording|reconciliation|refund|reply_to|room|run|scan|session|story|subject|target|tariff|thread|topic|trip|unit|webcam)_ids?|noticeId|within|within_id|from_lifts|to_lifts|to_slopes|unanswered_payments)$/;
/** Columns of other types that have ids of people. */
const NAMES_PEOPLE = /(^|_)(actor|user|account|owner|person|seller|provider)_id$|(^|_)by$|^caller$|_person$/;
const NO_PEOPLE = 'used_by|answer_by|webhook_inbox.provider_id|queue_alerts.told_by';

/** The part of a path that says what it is: `media.file_id` → `file_id`, `parties.*` → `parties`. */
const lastName = (at: string): string =>
  at
    .split('.')
    .filter((part) => part !== '*')
    .at(-1) ?? '';

/** The paths of a row that may have ids. */
const idsIn = (schema: TSchema, at: string): string[] => {
  if (schema.properties)
    return Object.entries((schema as TObject).properties).flatMap(([name, one]) => idsIn(one, `${at}.${name}`));
  if (schema.type === 'array') return idsIn(schema.items, `${at}.*`);
  const members: readonly TSchema[] | undefined = schema.anyOf ?? schema.oneOf;
  if (members) return [...new Set(members.flatMap((one) => idsIn(one, at)))];
  return schema.format === 'uuid' || NAMES_PEOPLE.test(at) ? [at] : [];
};

/** The columns and paths of a model's rows that name people. */
const peopleIn = ({ name, row }: ReadModel): string[] =>
  Object.entries(row.properties)
    .flatMap(([column, schema]) => idsIn(schema, column))
    .filter((at) => !isThing(name, at));
const isThing = (holder: string, at: string): boolean =>
  THINGS.test(lastName(at)) ||
  NO_PEOPLE.split('|').some((one) => one === at.split('.')[0] || one === `${holder}.${at}`);

const MARK = 'personal text';
const MARKED_NUMBER = 73.0731;
const ID = '0190d1f0-0000-7000-8000-000000000001';
const AT = '2026-01-02T03:04:05.000Z';

const textOf = (schema: TSchema): string => {
  if (isPersonal(schema)) return MARK;
  if (Array.isArray(schema.enum)) return String(schema.enum[0]);
  if (schema.const !== undefined) return String(schema.const);
  const formats: Readonly<Record<string, string>> = { uuid: ID, date: '2026-01-02', 'date-time': AT };
  return formats[String(schema.format)] ?? String((schema.examples as unknown[] | undefined)?.[0] ?? 'text');
};

/** A personal number, object or list in which every text and number is marked. */
const marked = (schema: TSchema): unknown =>
  JSON.parse(
    JSON.stringify(sample({ ...schema, 'x-personal': false }), (_, value: unknown) => {
      if (typeof value === 'string') return MARK;
      return typeof value === 'number' ? MARKED_NUMBER : value;
    }),
  );

/** Data that fits a schema well enough for handlers: every field is there, all personal data is marked. */
const sample = (schema: TSchema): unknown => {
  if (isPersonal(schema) && schema.type !== 'string') return marked(schema);
  if (Array.isArray(schema.oneOf)) return sample(schema.oneOf[0] as TSchema);
  if (TypeGuard.IsUnion(schema)) return sample(schema.anyOf.find((one) => !TypeGuard.IsNull(one)) ?? schema);
  if (TypeGuard.IsObject(schema))
    return Object.fromEntries(Object.entries((schema as TObject).properties).map(([name, one]) => [name, sample(one)]));
  if (TypeGuard.IsArray(schema)) return [sample(schema.items)];
  if (schema.const !== undefined) return schema.const;
  if (schema.type === 'string') return textOf(schema);
  if (schema.type === 'integer' || schema.type === 'number') return Math.max(1, Number(schema.minimum ?? 1));
  return schema.type === 'boolean' ? true : {};
};

const eventOf = (type: string) => {
  const { data } = allEvents[type] ?? { data: undefined };
  const event = happened('stream', ID, { type, data: (data ? sample(data) : {}) as object }, AT);
  const actor = { kind: 'user', id: ID, role: 'tourist' } as const;
  return { ...event, meta: { ...event.meta, actor, ip: MARK } };
};

/** Every row that an event of the model can make, from the row that another event has made where it needs one. */
const rowsOf = (model: ReadModel): Map<string, Json> => {
  const made = new Map<string, Json>();
  for (const before of [undefined, 'another row'] as const)
    for (const [type, handler] of model.handlers) {
      const event = eventOf(type);
      for (const row of before === undefined ? [undefined] : [...made.values()])
        try {
          const [key = {}] = handler.keys(event);
          const after = handler.fold(row, event, key);
          if (after) made.set(type, after);
        } catch {
          // It needs a row, or another one: some event makes it.
        }
    }
  return made;
};

const ofPeople = models.filter(({ handlers }) =>
  [...handlers.keys()].some((type) => {
    const declared = allEvents[type];
    return declared !== undefined && personalFields(type, declared).length > 0;
  }),
);

describe('a read model', () => {
  it.each(models.map((model) => [model.name, model] as const))('%s declares all personal data', (_, model) => {
    for (const [type, row] of rowsOf(model)) {
      const left = withoutPerson(row, model.personalData ?? {});
      for (const mark of [MARK, String(MARKED_NUMBER)])
        expect(JSON.stringify(left), `${model.name} shows personal data of ${type}`).not.toContain(mark);
    }
  });

  it.each(models.filter(({ personalData }) => personalData?.texts.length).map((model) => [model.name, model] as const))(
    '%s is refused without any one of its declarations',
    (_, model) => {
      const { texts = [], values } = model.personalData ?? {};
      for (const text of texts) {
        const without = { values, texts: texts.filter((one) => one !== text) };
        const left = [...rowsOf(model).values()].map((row) => withoutPerson(row, without));
        expect(JSON.stringify(left), `${model.name} without ${text}`).toContain(MARK);
      }
    },
  );

  it.each(ofPeople.map((model) => [model.name, model] as const))('%s makes rows in this check', (_, model) => {
    expect(rowsOf(model).size).toBeGreaterThan(0);
    expect(model.personalData?.whose, 'it copies nothing of the personal events that it handles').toEqual(
      expect.any(String),
    );
  });

  it.each(models.map((model) => [model.name, model] as const))(
    '%s says of every column that names people what an erasure does with the row',
    (_, model) => {
      const { whose, others = {} } = model.personalData ?? {};
      // Where rows are nobody's, all ids stay.
      const open = whose === null ? [] : peopleIn(model).filter((at) => at !== whose && !(at in others));
      expect(open).toEqual([]);
    },
  );

  it('that has no texts says whether its rows go at the erasure, or why they stay', () => {
    const silent = models.filter(
      ({ personalData }) =>
        personalData?.whose &&
        [...personalData.texts, ...personalData.values].length === 0 &&
        personalData.erased === undefined &&
        !(typeof personalData.retention === 'object' && 'always' in personalData.retention),
    );
    expect(silent.map(({ name }) => name)).toEqual([]);
  });

  it.each(
    models
      .filter(({ personalData }) => personalData && deletingColumns(personalData).length > 0)
      .map((model) => [model.name, model] as const),
  )('%s accepts that a row has gone with its person', (_, model) => {
    for (const [type, handler] of model.handlers) {
      const event = eventOf(type);
      for (const key of handler.keys(event)) expect(() => handler.fold(undefined, event, key), type).not.toThrow();
    }
  });

  it('names columns that exist', () => {
    for (const { name, personalData, row } of models) {
      if (!personalData?.whose) continue;
      const columns = Object.keys(row.properties);
      for (const column of [
        personalData.whose,
        ...deletingColumns(personalData),
        ...[...personalData.texts, ...personalData.values, ...Object.keys(personalData.others ?? {})].map(
          (path) => path.split('.')[0],
        ),
      ])
        expect(columns, name).toContain(column);
    }
  });

  it('is erased at every depth, and null stays null', () => {
    const personal = {
      texts: ['note', 'people.*.name', 'ending.reason'],
      values: ['position', 'track.*.lat'],
    };
    const row = {
      id: ID,
      note: null,
      position: { lat: 43.6, lon: 40.3 },
      track: [{ lat: 0, n: 1 }],
      people: [{ name: 'Anna', age: 3 }, { name: null }],
      ending: { reason: 'x', by: 'y' },
    };
    expect(withoutPerson(row, personal)).toEqual({
      id: ID,
      note: null,
      position: null,
      track: [{ lat: null, n: 1 }],
      people: [{ name: ERASED, age: 3 }, { name: null }],
      ending: { reason: ERASED, by: 'y' },
    });
    expect(replaceAt({ ending: null }, ['ending', 'reason'], () => ERASED)).toEqual({ ending: null });
  });
});

it.each(aggregates.flatMap((one) => (one.snapshot ? [[one.category, one, one.snapshot] as const] : [])))(
  'a snapshot of %s has no personal data, unless it is encrypted',
  (_, { events, initial, evolve }, { pack, sealedFor }) => {
    const state = Object.keys(events).map(eventOf).reduce(evolve, initial);
    if (sealedFor) expect(Object.values(sealedFor(state) ?? {}), 'whose key encrypts it').toEqual([ID]);
    else expect(JSON.stringify(pack(state))).not.toContain(MARK);
  },
);

describe('a durable table', () => {
  const columns = columnsOfTables();
  const tables = [...columns.keys()];
  const declared: PersonalTables = Object.assign({}, ...allMigrations.map(({ personalData }) => personalData));

  it.each(tables)('%s says what it holds about a person', (table) => {
    expect(Object.keys(declared), 'declare it under `personalData` of its migrations').toContain(table);
  });

  it.each(tablesAboutPeople(allMigrations))(
    '%s says of every column that names people what an erasure does',
    (table, about) => {
      const named = (columns.get(table) ?? []).filter((column) => /_id$/.test(column) || NAMES_PEOPLE.test(column));
      const { whose, others = {} } = about;
      const open = named.filter((column) => !isThing(table.replace('ops.', ''), column) && column !== whose);
      expect(open.toSorted()).toEqual(Object.keys(others).toSorted());
    },
  );

  it('that is declared exists, with the columns that it names', () => {
    for (const [table, data] of Object.entries(declared)) {
      expect(tables).toContain(table);
      for (const column of 'whose' in data ? [data.whose, ...data.exported] : [])
        expect(columns.get(table), table).toContain(column);
    }
  });
});

describe('the export', () => {
  const personal = Object.entries(allEvents).filter(([type, declared]) => personalFields(type, declared).length > 0);
  it.each(personal)('asks the log for %s, and shows all that it declares as personal', (type) => {
    expect(personalEvents.text).toContain(`'${type}'`);
    const event = eventOf(type);
    const marks = (data: unknown) =>
      JSON.stringify(data).split(MARK).length + JSON.stringify(data).split(String(MARKED_NUMBER)).length;
    expect(marks(ownDataOf(event, ID))).toBe(marks(shown(event.data)));
  });
  it('shows no secrets, and of others than the account nothing that is not personal', () => {
    const opened = JSON.stringify(ownDataOf({ ...eventOf('AccountOpened'), stream: `account-${ID}` }, ID));
    expect(opened).toContain('"passwordHash":"[hidden]"');
    expect(ownDataOf(eventOf('BookingCancelled'), ID)).toEqual({ reason: MARK });
  });
  it('has every section once', () => {
    const names = exportSections.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toContain('messages_received');
  });
  it('is described by docs/export.schema.json (UPDATE_GOLDEN=1 writes it)', () => {
    const file = path.resolve(import.meta.dirname, '../../docs/export.schema.json');
    if (process.env.UPDATE_GOLDEN === '1') writeFileSync(file, exportSchemaText());
    expect(readFileSync(file, 'utf8')).toBe(exportSchemaText());
  });
});
