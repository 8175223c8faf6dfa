/** The latest write of a client: its reads wait until they show it, whichever server answers. */

export interface LastWrite {
  /** What reads have to show; undefined when there is nothing to wait for. */
  position(): string | undefined;
  /** Whether the server has said that it does not show the write yet, and nothing has shown it since. */
  isUnseen(): boolean;
  /**
   * @param position the `x-event-position` of an answer, if it has one
   * @param isShown whether reads show it
   */
  remember(position: string | null, isShown: boolean): void;
  /** A read that had to show this position does. */
  shown(position: string): void;
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
  let last: { readonly position: string; readonly at: number; readonly isShown: boolean } | undefined;
  const known = () => (last && Date.now() - last.at < REMEMBERED_MS ? last : undefined);
  return {
    position: () => known()?.position,
    isUnseen: () => known()?.isShown === false,
    remember: (position, isShown) => {
      const before = known();
      if (position !== null && (before === undefined || isLater(position, before.position)))
        last = { position, at: Date.now(), isShown };
    },
    shown: (position) => {
      if (last?.position === position) last = { ...last, isShown: true };
    },
  };
};
