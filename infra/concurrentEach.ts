/** The same work over many things, a bounded number at a time. */

/**
 * Runs `work` over all, a bounded number at a time. After a failure nothing new is begun; it is thrown when what was
 * under way has ended, so that nobody still uses the stores when they are closed.
 */
export const concurrentEach = async <T>(
  items: Iterable<T>,
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> => {
  const left = items[Symbol.iterator]();
  const failures: unknown[] = [];
  const worker = async () => {
    for (let next = left.next(); !next.done && failures.length === 0; next = left.next())
      await work(next.value).catch((error: unknown) => failures.push(error));
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  if (failures.length > 0) throw failures[0];
};
