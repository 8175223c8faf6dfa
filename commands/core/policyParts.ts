/**
 * Parts of policies: the streams of a policy are spread over its parts, each of which has a checkpoint and a lease of its
 * own, so that several workers share one policy. Events of a stream always go to the same part, in order. An event that is
 * left to a retry job is handled after later ones (`policy.ts`).
 */
import type { Position } from '../../domain/core/decider.ts';
import { fnv1a } from '../../domain/core/fnv1a.ts';
import type { Handled } from '../../eventstore/checkpoints.ts';
import type { StoredEvent } from '../../eventstore/client/index.ts';
import { storableName } from '../../eventstore/eventNames.ts';
import { isAfter, laterOf } from '../../eventstore/subscribe.ts';
import { consumerOf, type Policy } from './policy.ts';

export interface PolicyPart<Deps> {
  /** Names its checkpoint and lease: `policy:bookings`, or `policy:bookings:2/4` for the second part of four. */
  readonly consumer: string;
  readonly policy: Policy<Deps>;
  /** Whether it has a handler for the event, and the stream is one of its streams. */
  takes(event: Pick<StoredEvent, 'type' | 'stream'>): boolean;
}

const nameOf = (policy: { readonly name: string }, part: number, of: number): string =>
  of === 1 ? consumerOf(policy) : `${consumerOf(policy)}:${part + 1}/${of}`;

/** The parts of all policies. */
export const partsOf = <Deps>(policies: readonly Policy<Deps>[], of: number): PolicyPart<Deps>[] =>
  policies.flatMap((policy) =>
    Array.from({ length: of }, (_, part) => ({
      consumer: nameOf(policy, part, of),
      policy,
      takes: ({ type, stream }) =>
        // The checkpoints of parts depend on the hash.
        policy.handlers.has(type) && (of === 1 || fnv1a(storableName(stream)) % of === part),
    })),
  );

const earliest = (positions: readonly Position[]): Position | null =>
  positions.reduce<Position | null>((least, position) => (least && isAfter(position, least) ? least : position), null);

/**
 * Where a part continues: at its checkpoint, or where a former division of its policy into parts had got to as a whole,
 * whichever is later. Null: at the beginning of the log.
 */
export const startOf = (
  { consumer, policy }: Pick<PolicyPart<never>, 'consumer' | 'policy'>,
  handled: ReadonlyMap<string, Handled>,
): Position | null => {
  const divisions = new Map<number, Position[]>();
  for (const [name, { position }] of handled) {
    const [, part, of = '1'] = /^(?::(\d+)\/(\d+))?$/.exec(name.slice(consumerOf(policy).length)) ?? [undefined, null];
    if (!name.startsWith(consumerOf(policy)) || part === null) continue;
    divisions.set(Number(of), [...(divisions.get(Number(of)) ?? []), position]);
  }
  const whole = [...divisions].filter(([of, positions]) => positions.length === of);
  const own = handled.get(consumer)?.position ?? null;
  return whole.map(([, positions]) => earliest(positions)).reduce(laterOf, own);
};
