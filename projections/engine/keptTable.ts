/**
 * What a process keeps in memory of small tables that are read at every request, such as flags. It is read again after the
 * projector has changed them: whoever has waited for a position finds what it shows.
 */
import type { Positions } from './positions.ts';
import type { ReadDb } from './readDb.ts';
import type { ReadModel } from './readModel.ts';

/** What a kept table is read from. A process has one `positions`, and keeps a table once for each. */
export interface KeptDeps {
  readonly db: ReadDb;
  readonly positions: Pick<Positions, 'follow' | 'isListening'>;
}

const keep = <T>(
  positions: KeptDeps['positions'],
  models: readonly ReadModel[],
  read: () => Promise<T>,
): (() => Promise<T>) => {
  let kept: Promise<T> | undefined;
  positions.follow(models, () => {
    kept = undefined;
  });
  return () => {
    if (!positions.isListening()) return read();
    if (kept) return kept;
    const reading = read();
    kept = reading;
    reading.catch(() => {
      if (kept === reading) kept = undefined;
    });
    return reading;
  };
};

/**
 * A function that gives what `read` found, read again when rows have changed since. While changes are not heard of, it is
 * read every time.
 * @param models that announce their changes
 */
export const keptTable = <T>(
  models: readonly ReadModel[],
  read: (deps: KeptDeps) => Promise<T>,
): ((deps: KeptDeps) => Promise<T>) => {
  const silent = models.filter(({ announce }) => announce === undefined);
  if (silent.length > 0) throw new Error(`${silent.map(({ name }) => name)} does not announce its changes`);
  const tables = new WeakMap<KeptDeps['positions'], () => Promise<T>>();
  return ({ db, positions }) => {
    const table = tables.get(positions) ?? keep(positions, models, () => read({ db, positions }));
    tables.set(positions, table);
    return table();
  };
};
