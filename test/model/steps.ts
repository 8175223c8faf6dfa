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

/** What others do before one of the appends of a step or of an act. */
export interface Meanwhile<A extends Act = InterruptedAct> {
  /** The number of appends before it. */
  readonly appends: number;
  readonly acts: readonly A[];
}

/** What somebody does in the middle of a step, and what a third party does in the middle of that. */
export interface InterruptedAct extends Act {
  readonly meanwhile: Meanwhile<Act> | null;
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
  'keep_terms',
  'cancel',
  'reject',
  'confirm',
  'no_show',
  'shorten',
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
