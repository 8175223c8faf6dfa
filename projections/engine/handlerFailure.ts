/** Distinguishes an error of an event from an error of the database. */

/** A handler or a wire form threw: the event is at fault and is parked. */
export class HandlerFailed extends Error {}

/** Runs pure code of a read model, and marks what it throws as the fault of the events. */
export const handled = <T>(work: () => T): T => {
  try {
    return work();
  } catch (error) {
    throw new HandlerFailed(error instanceof Error ? error.message : String(error), { cause: error });
  }
};
