/** Why something is not sold as it was asked for. */
import { Rejected } from '../../domain/core/decider.ts';

/** Reasons that are the fault of the request, with the field that is wrong (`Fields`). */
export type Faults<R extends string> = Readonly<Partial<Record<R, string>>>;

/**
 * @param subject what a person reads first: `This stay cannot be booked`
 * @param words for each reason
 * @param faults with one of them the answer is `invalid`; the others may pass (`not_bookable`)
 */
export const notSold = <R extends string>(
  subject: string,
  reasons: readonly R[],
  { words, faults }: { readonly words: Readonly<Record<R, string>>; readonly faults: Faults<R> },
): Rejected => {
  const detail = `${subject}: ${reasons.map((reason) => words[reason]).join(', and ')}.`;
  const [field, ...more] = new Set(reasons.flatMap((reason) => faults[reason] ?? []));
  return field === undefined
    ? new Rejected('not_bookable', detail, { reasons })
    : new Rejected('invalid', detail, { reasons, fields: [field, ...more] });
};
