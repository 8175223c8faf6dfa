/** Wakes a loop that waits for work. */

export interface Bell {
  /** Wakes who waits, or else who waits next: many rings before that are one. */
  ring(): void;
  /** Waits for a ring. False when `ms` pass without one. */
  heard(ms: number): Promise<boolean>;
}

/** A signal that stays set until it is awaited. */
export const createBell = (): Bell => {
  let rung = false;
  let wake = (): void => undefined;
  return {
    ring: () => {
      rung = true;
      wake();
    },
    heard: async (ms) => {
      if (!rung)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      const was = rung;
      rung = false;
      return was;
    },
  };
};
