/** Who is online on one channel, as one hub knows it. */
import type { Ephemeral } from '../../projections/engine/ephemeral.ts';

/** One subscription to a channel that shows presence. */
export interface Present {
  readonly canonical: string;
  readonly accountId: string;
  /** Sends a message to this subscription alone. */
  tell(message: Ephemeral): void;
}

/** One person on one channel at this hub. */
interface Here {
  readonly subscriptions: Set<Present>;
  /** When the last subscription ended. */
  awaySince: number | undefined;
}

/** The people of a channel: those of this hub, and those of the others. */
export class PresenceRoom {
  readonly here = new Map<string, Here>();
  /** Hub → its people. */
  readonly elsewhere = new Map<string, Set<string>>();
  /** Hub → those of its people who may have left while messages were lost. */
  readonly doubtful = new Map<string, Set<string>>();

  has(accountId: string): boolean {
    return this.here.has(accountId) || [...this.elsewhere.values()].some((people) => people.has(accountId));
  }

  everybody(): Set<string> {
    return new Set([...this.here.keys(), ...[...this.elsewhere.values()].flatMap((people) => [...people])]);
  }
}
