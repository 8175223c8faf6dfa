/** What a random history is made of. */
import type { Turn } from './machine.ts';

/** The action, the actor, the target, and the variant. */
export interface Act {
  readonly what: Action;
  readonly who: number;
  readonly which: number;
  readonly how: number;
}

/** One step, with the command before which its process dies, and with what others do in the middle of it. */
export interface Step extends Act {
  readonly dies: number | null;
  readonly meanwhile: Meanwhile | null;
}

/** What others do before one of the appends of a step. */
export interface Meanwhile {
  /** The number of appends before it. */
  readonly appends: number;
  readonly acts: readonly Act[];
}

export const actions = [
  'book',
  'trip',
  'buy',
  'give_up',
  'pay',
  'provider',
  'notify',
  'change',
  'cancel',
  'reject',
  'confirm',
  'no_show',
  'refund',
  'refunds',
  'stop_paying',
  'away',
  'repeat',
  'wait',
  'policy',
  'job',
  'work',
] as const;
export type Action = (typeof actions)[number];

/** A step or a part of one, and whose it is. */
export interface Attempt extends Act {
  readonly dies: number | null;
  readonly turn: Turn;
}
