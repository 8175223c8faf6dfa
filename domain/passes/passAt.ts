/** A pass as it was: passages of gates without a connection become known later, and are judged by the state at their time. */
import { isAfter } from '../core/instants.ts';
import type { OpenPass } from './passState.ts';

/** Whether something had happened at an instant. What an earlier release kept no time of had. */
const had = (happened: string | null, at: string): boolean => happened === null || !isAfter(happened, at);

/** The newest code at an instant. A code that was shown was issued, whatever the clock of the gate says. */
const serialAt = ({ serial, codes }: OpenPass, at: string, shown: number | null): number => {
  const since = codes.filter((code) => !had(code.at, at));
  if (since.length === 0) return serial;
  const before = Math.min(...since.map((code) => code.serial)) - 1;
  return shown !== null && shown <= serial ? Math.max(before, shown) : before;
};

/**
 * What a gate that knows everything would have known at an instant: the newest code, whether the pass was blocked, and
 * whether it was given back. Units are counted as they are now, because more than were paid for are never used; and once
 * the refund is fixed, a passage that it does not know of is one that people look at.
 * @param at RFC 3339 @param shown the serial of the code that was shown
 */
export const passAt = (pass: OpenPass, at: string, shown: number | null): OpenPass => ({
  ...pass,
  serial: serialAt(pass, at, shown),
  blocked: pass.blocks.some(({ from, to, isOver }) => had(from, at) && !(isOver && had(to, at))),
  ended: pass.ended && (pass.settled !== null || had(pass.ended.at, at)) ? pass.ended : null,
});
