/** Work that may be refused where nobody waits for the answer: what it is about has ended or changed meanwhile. */
import { Rejected } from '../../domain/core/decider.ts';
import type { RejectionCode } from '../../domain/core/rejections.ts';

/** What the work gives; undefined where it is rejected. Other errors are thrown. @param code only this rejection counts */
export const unlessRejected = async <T>(work: () => Promise<T>, code?: RejectionCode): Promise<T | undefined> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Rejected && (code === undefined || error.code === code)) return undefined;
    throw error;
  }
};

/** Whether the work is done: false where it is rejected. Other errors are thrown. @param code only this rejection counts */
export const isAccepted = async (work: () => Promise<unknown>, code?: RejectionCode): Promise<boolean> =>
  (await unlessRejected(() => work().then(() => true), code)) ?? false;
