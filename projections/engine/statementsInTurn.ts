/**
 * Several tasks on one connection. Each task waits for its own statements only: those of the others are sent behind them,
 * and while the database works for one task, this process folds rows for the next.
 */
import { concurrentEach } from '../../infra/concurrentEach.ts';
import type { PoolClient } from '../../infra/postgres.ts';

/** The part of a connection that statements need. */
export type Statements = Pick<PoolClient, 'query'>;

/** The transaction has failed before this statement. */
const isFollowUp = (error: unknown): boolean => (error as { code?: string }).code === '25P02';

/**
 * How many tasks are under way: all of a small batch. With fewer, the database waits while rows are folded; with all of a
 * large one, everything would be folded, and kept in memory, before the first rows are written.
 */
const AT_ONCE = 5;

/**
 * Runs tasks on one connection, and resolves to what they return.
 * @throws the first error, once all tasks that have begun have ended
 */
export const inTurn = async <Task, Result>(
  client: PoolClient,
  tasks: readonly Task[],
  run: (task: Task, db: Statements) => Promise<Result>,
): Promise<Result[]> => {
  const results: Result[] = [];
  const errors: unknown[] = [];
  await concurrentEach(tasks.entries(), AT_ONCE, async ([n, task]) => {
    try {
      results[n] = await run(task, client);
    } catch (error) {
      errors.push(error);
      throw error;
    }
  }).catch(() => undefined);
  if (errors.length > 0) throw errors.find((error) => !isFollowUp(error)) ?? errors[0];
  return results;
};
