/**
 * Several tasks on one connection. Each task waits for its own statements only: while the database works for one of
 * them, this process folds rows for the next.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
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
 * Runs tasks on one connection, and resolves to what they return.
 * @throws the first error, once all tasks have ended
 */
export const inTurn = async <Task, Result>(
  client: PoolClient,
  tasks: readonly Task[],
  run: (task: Task, lane: Statements) => Promise<Result>,
): Promise<Result[]> => {
  const lane = laneOf(client);
  const ended = await Promise.allSettled(tasks.map((task) => run(task, lane)));
  const errors = ended.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []));
  if (errors.length > 0) throw errors.find((error) => !isFollowUp(error)) ?? errors[0];
  return ended.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
};
