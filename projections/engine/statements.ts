/** Queries that are built once for each shape: to build one takes as long as to send it and to read its answer. */
import type { CompiledQuery } from 'kysely';
import { gatherBy } from '../../infra/gather.ts';
import type { ReadDb } from './readDb.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Stands for a value while a query is built. */
class Slot {
  /** The value, from those that the query is run with. */
  readonly of: (values: Fields) => unknown;
  constructor(of: Slot['of']) {
    this.of = of;
  }
  [Symbol.toPrimitive](): never {
    throw new Error('The query is built without its values: compute with them in `computed`.');
  }
}

/** What is computed of a value each time that the query is run. Works with the value itself, too. */
export const computed = <A, B>(value: A, compute: (value: A) => B): B =>
  value instanceof Slot ? (new Slot((values) => compute(value.of(values) as A)) as B) : compute(value);

const isGroup = (value: unknown): value is Fields =>
  value !== null && typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype;

const slotsOf = (given: Fields, of: (values: Fields) => Fields = (values) => values): Fields => {
  const entries = Object.entries(given).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    entries.map(([name, value]) => [
      name,
      isGroup(value) ? slotsOf(value, (values) => of(values)[name] as Fields) : new Slot((values) => of(values)[name]),
    ]),
  );
};

/** The names of the values that are given. */
const namesOf = (given: Fields): string => {
  let names = '';
  for (const name in given) {
    const value = given[name];
    if (value !== undefined) names += isGroup(value) ? `${name}(${namesOf(value)}) ` : `${name} `;
  }
  return names;
};

/** How many shapes of a query are kept. A query of further ones is built each time. */
const MAX_SHAPES = 500;

/** A query as its builder leaves it. */
interface Built<Row> {
  compile(db: ReadDb): CompiledQuery<Row>;
}

/**
 * A query whose text depends only on which values are given and on its shape. It is built when it is first run with them;
 * afterwards the values are put into the same text. `build` passes values on and does not compute with them (`computed`
 * does); it leaves out what is not given. Values may be grouped in plain objects. All run on the same tables.
 */
export const statement = <Values extends object, Row, Shape extends object = object>(
  build: (db: ReadDb, values: Values, shape: Shape) => Built<Row>,
): ((db: ReadDb, values: Values, ...shape: object extends Shape ? [] : [Shape]) => Promise<Row[]>) => {
  const known = new Map<string, CompiledQuery<Row>>();
  return async (db, values, ...[shape]) => {
    const given = values as Fields;
    const key = namesOf(given) + (shape ? JSON.stringify(shape) : '');
    let query = known.get(key);
    if (!query) {
      query = build(db, slotsOf(given) as Values, (shape ?? {}) as Shape).compile(db);
      if (known.size < MAX_SHAPES) known.set(key, query);
    }
    const parameters = query.parameters.map((each) => (each instanceof Slot ? each.of(given) : each));
    return (await db.executeQuery<Row>({ ...query, parameters })).rows;
  };
};

/** How many lists of ids one statement reads. */
const LISTS_AT_ONCE = 50;

/**
 * Rows by their ids, in one statement for all who ask within one turn of the event loop. The rows may be shared, and those
 * that others asked for are among them; what is not there is missing.
 */
export const rowsById = <Row extends { readonly id: string }>(
  build: (db: ReadDb, ids: readonly string[]) => Built<Row>,
): ((db: ReadDb, ids: readonly string[]) => Promise<ReadonlyMap<string, Row>>) => {
  const read = statement<{ readonly ids: readonly string[] }, Row>((db, { ids }) => build(db, ids));
  const ask = gatherBy(async (db: ReadDb, lists: readonly (readonly string[])[]) => {
    const ids = new Set<string>();
    for (const list of lists) for (const id of list) ids.add(id);
    const rows = new Map<string, Row>();
    for (const row of await read(db, { ids: [...ids] })) rows.set(row.id, row);
    return lists.map(() => rows);
  }, LISTS_AT_ONCE);
  return async (db, ids) => (ids.length === 0 ? new Map() : ask(db, ids));
};
