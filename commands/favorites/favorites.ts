/** People mark what they want to find again, and say what they want to be told of it. */
import { notFound } from '../../domain/core/decider.ts';
import { favoriteOf, favorites, type Watch } from '../../domain/favorites/favorites.ts';
import type { FavoriteKind } from '../../domain/favorites/kinds.ts';
import type { CoreDeps } from '../core/deps.ts';
import type { CommandContext } from '../core/handle.ts';
import { exists } from './kinds.ts';

type Deps = Pick<CoreDeps, 'aggregates'>;

export interface Marked {
  readonly kind: FavoriteKind;
  readonly id: string;
}

/**
 * Marks something, or changes what is told of it. What is marked already need not exist any more.
 * @param watch undefined: as it is; null: nothing
 * @throws Rejected `not_found`; `invalid` for what cannot be watched; `conflict` when there are too many
 */
export const addFavorite = async (
  deps: Deps,
  context: CommandContext,
  person: string,
  target: Marked,
  watch: Watch | null | undefined,
): Promise<{ readonly isNew: boolean; readonly watch: Watch | null }> => {
  const { at } = context;
  const known = favoriteOf((await deps.aggregates.load(favorites, person)).state, target);
  if (!known && !(await exists[target.kind](deps, target.id, at))) throw notFound(target.kind);
  const command = { type: 'AddFavorite', target, watch, at } as const;
  const { state, before } = await deps.aggregates.handle(favorites, person, command, context);
  return { isNew: favoriteOf(before, target) === undefined, watch: favoriteOf(state, target)?.watch ?? null };
};

/** Safe to repeat. */
export const removeFavorite = async (
  deps: Deps,
  context: CommandContext,
  person: string,
  target: Marked,
): Promise<void> => {
  await deps.aggregates.handle(favorites, person, { type: 'RemoveFavorite', target }, context);
};

/** Removes all favourites of an erased person. */
export const removeAllFavorites = async (deps: Deps, context: CommandContext, person: string): Promise<void> => {
  await deps.aggregates.handle(favorites, person, { type: 'RemoveAllFavorites' }, context);
};
