/** What a client is told about input that does not fit its schema. */
import { type TSchema, Type } from '@sinclair/typebox';
import { describe, expect, it } from 'vitest';
import { fieldErrors } from '../../api/http/fieldErrors.ts';
import { route } from '../../api/http/route.ts';
import { Text } from '../../domain/catalog/listing.ts';
import { DateOnly, Instant, Nullable, Uuid } from '../../domain/core/schema.ts';
import { validator } from '../../infra/validation.ts';

const Body = Type.Object({
  bik: Type.Optional(Nullable(Type.String({ pattern: '^\\d{9}$' }))),
  clock: Type.Optional(Type.String({ pattern: '^\\d\\d:\\d\\d$', examples: ['22:00'] })),
  place: Type.Optional(Nullable(Type.Object({ name: Type.String({ minLength: 1 }) }))),
  nothing: Type.Optional(Type.Null()),
});
const told = (value: unknown): string[] => {
  const valid = validator(Body);
  expect(valid(value)).toBe(false);
  return fieldErrors('body', valid.errors).map(({ pointer, detail }) => `${pointer} ${detail}`);
};

it('says only what is wrong with a value where null is possible, too', () => {
  expect(told({ bik: '1' })).toEqual(['/body/bik must match pattern "^\\d{9}$"']);
  expect(told({ place: { name: '' } })).toEqual(['/body/place/name must NOT have fewer than 1 characters']);
  expect(told({ bik: 7 })).toEqual(['/body/bik must be string']);
});

it('follows a pattern with an example where there is one', () => {
  expect(told({ clock: 'ten' })).toEqual(['/body/clock must match pattern "^\\d\\d:\\d\\d$", such as 22:00']);
});

it('says that a value must be null where nothing else is possible', () => {
  expect(told({ nothing: 1 })).toEqual(['/body/nothing must be null']);
});

it.each([
  ['2026-11-22T10:00:00Z', true],
  ['0001-01-01T00:00:00Z', true],
  ['9999-12-31T23:59:59Z', true],
  ['2016-12-31T23:59:60Z', false],
  // In UTC these lie in years that neither Postgres nor a reply can show.
  ['0001-01-01T00:00:00+23:59', false],
  ['9999-12-31T23:59:59-23:59', false],
])('accepts a time that exists: %s', (text, isTime) => {
  expect(validator(Instant)(text)).toBe(isTime);
});

it.each([
  ['1900-01-01', '1900-01-01T00:00:00Z', true],
  ['2999-12-31', '2999-12-31T23:59:59.999Z', true],
  // What is calculated from these, such as the season around a day, would be no date.
  ['1899-12-31', '1900-01-01T00:00:00+00:01', false],
  ['3000-01-01', '2999-12-31T23:59:59-00:01', false],
])('takes from a request only dates and times with which can be calculated: %s, %s', (date, time, isTaken) => {
  for (const source of ['body', 'text'] as const)
    expect([validator(DateOnly, source)(date), validator(Instant, source)(time)]).toEqual([isTaken, isTaken]);
  expect([validator(DateOnly)(date), validator(Instant)(time)]).toEqual([true, true]);
});

it.each(['body', 'text'] as const)(
  'reads times of requests in UTC, in the form that everything stores: %s',
  (source) => {
    const Times = Type.Object({
      at: Instant,
      until: Nullable(Instant),
      all: Type.Array(Type.Object({ at: Instant })),
      day: DateOnly,
      note: Type.String(),
    });
    // PostgreSQL takes neither so large an offset nor so many digits.
    const [offset, digits] = ['2026-12-04T23:00:00+18:00', `2026-12-04T05:00:00.${'0'.repeat(120)}Z`];
    const utc = '2026-12-04T05:00:00.000Z';
    const value = { at: offset, until: digits, all: [{ at: offset }], day: '2026-12-04', note: offset };
    const valid = validator(Times, source);
    expect(valid(value)).toBe(true);
    expect(value).toEqual({ at: utc, until: utc, all: [{ at: utc }], day: '2026-12-04', note: offset });
    expect(valid({ ...value, at: '2016-12-31T23:59:60Z' })).toBe(false);
  },
);

it('says which years are taken', () => {
  const valid = validator(Type.Object({ from: DateOnly }), 'body');
  expect(valid({ from: '9999-12-31' })).toBe(false);
  expect(fieldErrors('body', valid.errors)).toMatchObject([
    { detail: 'must match format "date", in the years 1900 to 2999' },
  ]);
});

it.each([
  ['01a2062f-73ee-740d-af51-137c47c3e406', true],
  ['01A2062F-73EE-740D-AF51-137C47C3E406', true],
  ['urn:uuid:01a2062f-73ee-740d-af51-137c47c3e406', false],
  ['{01a2062f-73ee-740d-af51-137c47c3e406}', false],
  ['01a2062f73ee740daf51137c47c3e406', false],
])('accepts an id that can be stored: %s', (text, isId) => {
  expect(validator(Uuid)(text)).toBe(isId);
});

it.each(['body', 'text'] as const)('reads ids of requests in lower case: %s', (source) => {
  const Ids = Type.Object({
    id: Uuid,
    other: Nullable(Uuid),
    all: Type.Array(Type.Object({ id: Uuid })),
    note: Type.String(),
  });
  const [sent, id] = ['01A2062F-73EE-740D-AF51-137C47C3E406', '01a2062f-73ee-740d-af51-137c47c3e406'];
  const value = { id: sent, other: sent, all: [{ id: sent }], note: sent };
  expect(validator(Ids, source)(value)).toBe(true);
  expect(value).toEqual({ id, other: id, all: [{ id }], note: sent });
});

it.each(['body', 'text'] as const)('finds an id that a list has in both cases: %s', (source) => {
  const [sent, id] = ['01A2062F-73EE-740D-AF51-137C47C3E406', '01a2062f-73ee-740d-af51-137c47c3e406'];
  const Ids = Type.Object({
    ids: Type.Array(Uuid, { uniqueItems: true, maxItems: 2 }),
    all: Type.Array(Type.Object({ id: Uuid }), { uniqueItems: true }),
  });
  const valid = validator(Ids, source);
  const wrong = (value: unknown) => {
    expect(valid(value)).toBe(false);
    return fieldErrors('body', valid.errors).map(({ pointer, code }) => [pointer, code]);
  };
  expect(wrong({ ids: [id, sent], all: [] })).toEqual([['/body/ids', 'uniqueItems']]);
  expect(wrong({ ids: [], all: [{ id: sent }, { id }] })).toEqual([['/body/all', 'uniqueItems']]);
  expect(wrong({ ids: [id, sent, id], all: [] }), 'its length comes first').toEqual([['/body/ids', 'maxItems']]);
  const value = { ids: [sent, sent.replace('01A2', '01A3')], all: [{ id: sent }] };
  expect(valid(value)).toBe(true);
  expect(value).toEqual({ ids: [id, id.replace('01a2', '01a3')], all: [{ id }] });
});

it('leaves what is stored as it is', () => {
  const value = { id: '01A2062F-73EE-740D-AF51-137C47C3E406' };
  expect(validator(Type.Object({ id: Uuid }))(value)).toBe(true);
  expect(value).toEqual({ id: '01A2062F-73EE-740D-AF51-137C47C3E406' });
});

describe('a text of a body that must not be empty', () => {
  const { spec } = route('POST /x', {
    id: 'x',
    access: 'public',
    summary: 'X',
    body: Type.Object({
      title: Text(20),
      names: Type.Optional(Type.Array(Nullable(Text(20)))),
      note: Type.Optional(Type.String()),
    }),
    reply: Type.Null(),
    handle: () => null,
  });
  const valid = validator(spec.body as TSchema);

  it('has more than white space', () => {
    expect(valid({ title: ' \t\u00a0' })).toBe(false);
    expect(fieldErrors('body', valid.errors)).toMatchObject([
      { pointer: '/body/title', detail: 'must not be only white space' },
    ]);
    expect(valid({ title: 'Ski', names: [null, ' '] })).toBe(false);
  });

  it('keeps white space around words, and may be empty where it is declared so', () => {
    expect(valid({ title: ' Ski ', names: [null], note: ' ' })).toBe(true);
  });
});

it('compiles a schema once, however many validators there are', () => {
  let reads = 0;
  const schema: TSchema = Type.String();
  Object.defineProperty(schema, 'minLength', {
    enumerable: true,
    get: () => {
      reads += 1;
      return 2;
    },
  });
  expect([validator(schema)('a'), validator(schema)('ab'), reads]).toEqual([false, true, 1]);
});
