/** Consumers whose checkpoints are near each other follow the log together. */
import type { Position } from '../domain/core/decider.ts';

/**
 * Consumers whose checkpoints are further apart, in bytes of the log, do not follow it together: one that is new reads the
 * log from its beginning, and the others must not wait for it.
 */
const NEAR = 4n * 1024n * 1024n;

/** Divides consumers into those that follow the log together, foremost first. */
export const tracksOf = <Consumer extends { readonly after: Position | null }>(
  consumers: readonly Consumer[],
): Consumer[][] => {
  const tracks: Consumer[][] = [];
  const commitOf = ({ after }: Consumer) => after?.commit ?? 0n;
  for (const one of consumers.toSorted((a, b) => (commitOf(a) > commitOf(b) ? -1 : 1))) {
    const track = tracks.at(-1);
    if (track?.[0] && commitOf(track[0]) - commitOf(one) <= NEAR) track.push(one);
    else tracks.push([one]);
  }
  return tracks;
};
