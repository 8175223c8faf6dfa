/**
 * What can be appealed. This module knows none of it: each module that removes something of people, or keeps them from
 * something, declares in its manifest what stands against whom, and how it is undone.
 */
import type { AppealKind } from '../../domain/reports/appeal.ts';
import type { CoreDeps } from '../core/deps.ts';
import type { CommandContext } from '../core/handle.ts';

/** A decision of a moderator that holds. */
export interface Standing {
  /** The person whom it is against. */
  readonly accountId: string;
  /** Tells the decisions about the same thing apart: each can be appealed once. */
  readonly number: number;
  /** It cannot be undone: what was removed is gone. */
  readonly isFinal?: boolean;
}

/** `Deps`: what its module needs. Methods, so that the kinds of all modules can be in one list. */
export interface Appealable<Deps = Pick<CoreDeps, 'aggregates'>> {
  /** The decision about this that stands at a time (RFC 3339), as the log has it; undefined: there is none. */
  standing(deps: Deps, id: string, at: string): Promise<Standing | undefined>;
  /** Undoes the decision that stands. Safe to repeat. */
  undo(deps: Deps, context: CommandContext, id: string): Promise<unknown>;
}

/** By the kind of what was decided. */
type Appealables = Readonly<Record<AppealKind, Appealable>>;

/** Part of the manifest of a module whose decisions can be appealed. */
export interface AppealableKinds {
  readonly appealables: { readonly [K in AppealKind]?: Appealable };
}

export interface AppealsPort {
  readonly appealables: Appealables;
}
