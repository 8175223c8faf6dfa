/** Why something is not sold as it was asked for. */
import { Rejected } from '../../domain/core/decider.ts';

/**
 * @param subject what a person reads first: `This stay cannot be booked`
 * @param words for each reason
 * @param faults reasons that are the request's fault (`invalid`); the others may pass (`not_bookable`)
 */
export const notSold = <R extends string>(
  subject: string,
  reasons: readonly R[],
  { words, faults }: { readonly words: Readonly<Record<R, string>>; readonly faults: readonly R[] },
): Rejected => {
  const code = reasons.some((reason) => faults.includes(reason)) ? 'invalid' : 'not_bookable';
  return new Rejected(code, `${subject}: ${reasons.map((reason) => words[reason]).join(', and ')}.`, { reasons });
};
