/**
 * Lets others act in the middle of a command: before one of its appends, when everything that it decides on was read.
 * A process whose store is `interruptible` stops there until they are done.
 */
import type { EventStore } from '../../eventstore/client/index.ts';

export const createScheduler = () => {
  let planned: { appends: number; others: () => Promise<void> } | undefined;
  let acting: Promise<void> | undefined;
  let failure: { readonly error: unknown } | undefined;

  const beforeAppend = async (): Promise<void> => {
    if (planned?.appends === 0) {
      const { others } = planned;
      planned = undefined;
      acting = others().catch((error: unknown) => {
        failure = { error };
      });
    } else if (planned) planned.appends -= 1;
    await acting;
  };

  return {
    interruptible: (store: EventStore): EventStore => ({
      ...store,
      append: async (...append) => {
        await beforeAppend();
        return store.append(...append);
      },
    }),
    /**
     * Runs `work`; before its append number `appends` (from 0) `others` act once. If it makes fewer appends, they do
     * not act.
     * @throws the error of `others` too, even if `work` survives it, as a policy does
     */
    interrupting: async (appends: number, others: () => Promise<void>, work: () => Promise<void>): Promise<void> => {
      planned = { appends, others };
      try {
        await work();
      } finally {
        planned = undefined;
        acting = undefined;
      }
      if (failure) throw failure.error;
    },
  };
};
