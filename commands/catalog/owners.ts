/** Who owns a listing that somebody adds. */
import { account } from '../../domain/accounts/account.ts';
import type { Role } from '../../domain/accounts/role.ts';
import type { ListingCommand } from '../../domain/catalog/listing.ts';
import { type ListingKind, mayOwn } from '../../domain/catalog/listings.ts';
import { Rejected } from '../../domain/core/decider.ts';
import type { CoreDeps } from '../core/deps.ts';

type Deps = Pick<CoreDeps, 'aggregates'>;

/** What is added, and the roles that may own such listings. */
export interface OwnedKind {
  readonly owners: readonly Role[];
  /** In the plural, for error messages: `hotels`. */
  readonly things: string;
}

/** An owner receives money and answers bookings, so the account must exist and have a suitable role. */
const assertOwner = async ({ aggregates }: Deps, id: string, { owners, things }: OwnedKind): Promise<void> => {
  const { state } = await aggregates.load(account, id);
  const isOwner = state.status !== 'none' && (state.role === 'admin' || owners.includes(state.role));
  if (!isOwner)
    throw new Rejected('invalid', `Account ${id} does not exist or may not own ${things}.`, { fields: ['owner_id'] });
};

/**
 * Publishing a listing. Its owner needs the role for it, as it is at this moment; an admin may publish it all the same.
 * @throws Rejected `insufficient_rights`
 */
export const publishing = async (
  { aggregates }: Deps,
  actor: { readonly role: string },
  ownerId: string,
  kind: Pick<ListingKind<object>, 'owners'>,
): Promise<Extract<ListingCommand<object>, { readonly type: 'Publish' }>> => {
  if (actor.role === 'admin') return { type: 'Publish' };
  const { state } = await aggregates.load(account, ownerId);
  if (state.status === 'none' && !state.isErased) return { type: 'Publish' };
  if (state.status === 'none' || !mayOwn(state.role, kind))
    throw new Rejected(
      'insufficient_rights',
      'The owner has no role that may publish this listing. Ask an admin for the role.',
    );
  return { type: 'Publish', roleChange: state.roleChanges };
};

/**
 * The owner of a listing that the actor adds: the actor, if their role may own it. An admin may set another owner.
 * @throws Rejected `insufficient_rights`; `invalid` for a named owner who may not own it
 */
export const ownerFor = async (
  deps: Deps,
  { id, role }: { readonly id: string; readonly role: string },
  named: string | undefined,
  kind: OwnedKind,
): Promise<string> => {
  if (role === 'admin') {
    if (named !== undefined && named !== id) await assertOwner(deps, named, kind);
    return named ?? id;
  }
  const { things } = kind;
  const owners: readonly string[] = kind.owners;
  if (!owners.includes(role)) throw new Rejected('insufficient_rights', `The role ${role} may not own ${things}.`);
  if (named !== undefined && named !== id)
    throw new Rejected('insufficient_rights', 'Only an admin may set another owner.');
  return id;
};
