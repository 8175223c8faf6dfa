/** Bounded concurrency over a list. */

/**
 * Runs `work` for each item, at most `atOnce` at the same time. After a failure no further item is started. The first
 * failure is thrown once all running work has ended, so that nothing still uses the stores when they are closed.
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
