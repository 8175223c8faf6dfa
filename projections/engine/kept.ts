/**
 * What a process keeps in memory of small tables that are read at every request, such as flags. It is read again after the
 * projector has changed them: whoever has waited for a position finds what it shows.
 */
import type { Positions } from './positions.ts';
import type { ReadModel } from './readModel.ts';

/**
 * A function that gives what `read` found, read again when rows have changed since. While changes are not heard of, it is
 * read every time.
 * @param models that announce their changes
 */
export const keep = <T>(
  positions: Pick<Positions, 'follow' | 'isListening'>,
  models: readonly ReadModel[],
  read: () => Promise<T>,
): (() => Promise<T>) => {
  const silent = models.filter(({ announce }) => announce === undefined);
  if (silent.length > 0) throw new Error(`${silent.map(({ name }) => name)} does not announce its changes`);
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
