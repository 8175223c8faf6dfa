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

/** @param read with what the caller has: another caller's `db` may be a connection that was given back since */
const keep = <T>(
  positions: KeptDeps['positions'],
  models: readonly ReadModel[],
  read: (deps: KeptDeps) => Promise<T>,
): ((deps: KeptDeps) => Promise<T>) => {
  let kept: Promise<T> | undefined;
  positions.follow(models, () => {
    kept = undefined;
  });
  return (deps) => {
    if (!positions.isListening()) return read(deps);
    if (kept) return kept;
    const reading = read(deps);
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
  const tables = new WeakMap<KeptDeps['positions'], (deps: KeptDeps) => Promise<T>>();
  return (deps) => {
    const { positions } = deps;
    const table = tables.get(positions) ?? keep(positions, models, read);
    tables.set(positions, table);
    return table(deps);
  };
};
