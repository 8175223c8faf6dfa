/**
 * Several tasks on one connection. Each task waits for its own statements only: while the database works for one of
 * them, this process folds rows for the next.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { concurrentEach } from '../../infra/concurrentEach.ts';
import type { PoolClient } from '../../infra/postgres.ts';

/** The part of a connection that statements need. */
export type Statements = Pick<PoolClient, 'query'>;

/** The transaction has failed before this statement. */
const isFollowUp = (error: unknown): boolean => (error as { code?: string }).code === '25P02';

/** Sends the statements of all tasks one after the other, in the order in which they are given. */
const laneOf = (client: PoolClient): Statements => {
  let last: Promise<unknown> = Promise.resolve();
  const query = (...statement: Parameters<PoolClient['query']>) => {
    const answer = last.then(() => client.query(...statement));
    last = answer.catch(() => undefined);
    // The next statement is sent first: the database then works while the task goes on.
    return answer.finally(() => nextTurn());
  };
  return { query: query as PoolClient['query'] };
};

/**
 * How many tasks are under way: one whose rows the database writes, one whose rows are folded meanwhile, and one whose rows
 * are read before that. With more, everything is read and folded first, and the database writes while nothing else is done.
 */
const AT_ONCE = 3;

/**
 * Runs tasks on one connection, and resolves to what they return.
 * @throws the first error, once all tasks that have begun have ended
 */
export const inTurn = async <Task, Result>(
  client: PoolClient,
  tasks: readonly Task[],
  run: (task: Task, lane: Statements) => Promise<Result>,
): Promise<Result[]> => {
  const lane = laneOf(client);
  const results: Result[] = [];
  const errors: unknown[] = [];
  await concurrentEach(tasks.entries(), AT_ONCE, async ([n, task]) => {
    try {
      results[n] = await run(task, lane);
    } catch (error) {
      errors.push(error);
      throw error;
    }
  }).catch(() => undefined);
  if (errors.length > 0) throw errors.find((error) => !isFollowUp(error)) ?? errors[0];
  return results;
};
