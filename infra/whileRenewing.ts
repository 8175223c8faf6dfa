/** Keeps what a process has claimed for a short time, as long as it is at work on it. */

export interface Renewing {
  /** Twice before the claim runs out, in milliseconds. */
  readonly everyMs: number;
  readonly renew: () => Promise<unknown>;
  /** The claim was not renewed this time. It is tried again. */
  readonly onFailure: (error: unknown) => void;
}

/** Renews a claim until `work` has ended. A process that dies renews nothing, so that another one soon takes over. */
export const whileRenewing = async <T>({ everyMs, renew, onFailure }: Renewing, work: () => Promise<T>): Promise<T> => {
  const timer = setInterval(() => void renew().catch(onFailure), everyMs);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
};
