/** The latest write of a client: its reads wait until they show it, whichever server answers. */

export interface LastWrite {
  /** What reads have to show; undefined when there is nothing to wait for. */
  position(): string | undefined;
  /** @param position the `x-event-position` of an answer, if it has one */
  remember(position: string | null): void;
}

/** For this long: everything shows the write by then, and a log that was moved has other positions. */
const REMEMBERED_MS = 60_000;

/** Positions of the log are `<commit>/<prepare>`. */
const isLater = (a: string, b: string): boolean => {
  const [commitA = '0', prepareA = '0'] = a.split('/');
  const [commitB = '0', prepareB = '0'] = b.split('/');
  return BigInt(commitA) === BigInt(commitB) ? BigInt(prepareA) > BigInt(prepareB) : BigInt(commitA) > BigInt(commitB);
};

export const createLastWrite = (): LastWrite => {
  let last: { readonly position: string; readonly at: number } | undefined;
  const position = (): string | undefined => (last && Date.now() - last.at < REMEMBERED_MS ? last.position : undefined);
  return {
    position,
    remember: (next) => {
      const known = position();
      if (next !== null && (known === undefined || isLater(next, known))) last = { position: next, at: Date.now() };
    },
  };
};
