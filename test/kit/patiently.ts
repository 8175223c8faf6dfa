/** On a busy machine the event store may take longer than a request waits. */
import { StoreUnavailable } from '../../eventstore/store.ts';
import { until } from './until.ts';

/** Repeats what the store has not answered in time. What is appended must be the same each time, with the same ids. */
export const patiently = async <T>(attempt: () => Promise<T>): Promise<T> => {
  const { done } = await until(() =>
    attempt().then(
      (value) => ({ done: value }),
      (error: unknown) => {
        if (!(error instanceof StoreUnavailable)) throw error;
        return undefined;
      },
    ),
  );
  return done;
};
