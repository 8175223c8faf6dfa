/** What is checked of a slope against the clock and against other lifts and slopes. */
import { Rejected } from '../../domain/core/decider.ts';
import { MINUTE_MS, msBetween } from '../../domain/core/instants.ts';
import { lift } from '../../domain/resort/lift.ts';
import { type SlopeDetails, slope } from '../../domain/resort/slope.ts';
import { concurrentEach } from '../../infra/concurrentEach.ts';
import type { CoreDeps } from '../core/deps.ts';

/** Clocks of machines may be ahead by this much. */
const AHEAD_MS = 5 * MINUTE_MS;
const AT_ONCE = 16;

const LINKS = [
  { field: 'fromLifts', wire: 'from_lifts', noun: 'lift' },
  { field: 'toLifts', wire: 'to_lifts', noun: 'lift' },
  { field: 'toSlopes', wire: 'to_slopes', noun: 'slope' },
] as const;

/**
 * Only what is new: a link to a lift that was retired since stays until somebody takes it out.
 * @throws Rejected `invalid` for a slope that leads to itself or to what is not in use, and that was groomed in the future
 */
export const checkSlopeDetails = async (
  { aggregates }: Pick<CoreDeps, 'aggregates'>,
  { id, at, details }: { readonly id: string; readonly at: string; readonly details: Partial<SlopeDetails> },
): Promise<void> => {
  if (details.groomedAt && msBetween(at, details.groomedAt) > AHEAD_MS)
    throw new Rejected('invalid', '`groomed_at` lies in the future: say when it was groomed last.', {
      fields: ['groomed_at'],
    });
  if (details.toSlopes?.includes(id))
    throw new Rejected('invalid', 'A slope does not lead to itself: leave it out of `to_slopes`.', {
      fields: ['to_slopes'],
    });
  const { state } = await aggregates.load(slope, id);
  for (const { field, wire, noun } of LINKS) {
    const before = state.status === 'none' ? [] : state.details[field];
    const unknown: string[] = [];
    await concurrentEach(
      (details[field] ?? []).filter((link) => !before.includes(link)),
      AT_ONCE,
      async (link) => {
        const { state: to } = noun === 'lift' ? await aggregates.load(lift, link) : await aggregates.load(slope, link);
        if (to.status !== 'operated') unknown.push(link);
      },
    );
    if (unknown.length > 0)
      throw new Rejected('invalid', `\`${wire}\` names no ${noun} in use: ${unknown.toSorted().join(', ')}.`, {
        fields: [wire],
      });
  }
};
