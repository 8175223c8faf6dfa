/**
 * One limit for several calls: each asks here how long it may take, so that they take no longer together. An upload sets it
 * for the calls of the file store, a call for help for all that it asks the stores for. It holds until the work has ended: what that has set off and goes on afterwards
 * has the limits of work in the background.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

interface Deadline {
  /** As `performance.now()`. */
  endsAt: number;
  isOver: boolean;
}

const current = new AsyncLocalStorage<Deadline>();

/** Runs work that has so many milliseconds for all calls that ask here. */
export const withDeadline = <T>(ms: number, work: () => Promise<T>): Promise<T> => {
  const deadline: Deadline = { endsAt: performance.now() + ms, isOver: false };
  return current.run(deadline, () =>
    work().finally(() => {
      deadline.isOver = true;
    }),
  );
};

const ofNow = (): Deadline | undefined => {
  const deadline = current.getStore();
  return deadline?.isOver ? undefined : deadline;
};

/** How many milliseconds a call may take that takes at most `mostMs` by itself: never more than the work has left. */
export const leftOf = (mostMs: number): number => {
  const deadline = ofNow();
  return deadline ? Math.max(0, Math.min(mostMs, deadline.endsAt - performance.now())) : mostMs;
};

/**
 * Does what has a limit of its own and is not counted: what the client sends, and what others outside are asked for. Whatever
 * follows has as much time as before.
 */
export const uncounted = async <T>(work: () => Promise<T>): Promise<T> => {
  const begun = performance.now();
  try {
    return await work();
  } finally {
    const deadline = current.getStore();
    if (deadline) deadline.endsAt += performance.now() - begun;
  }
};
