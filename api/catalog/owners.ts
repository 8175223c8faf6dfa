/** Decides who owns a new entry of the catalog. */
import { account, type Role } from '../../domain/accounts/account.ts';
import { Rejected } from '../../domain/core/decider.ts';
import type { App } from '../http/app.ts';
import type { User } from '../http/caller.ts';
import { HttpError } from '../http/errors.ts';

/** A kind of entry, and the roles that may own one. */
interface Entered {
  readonly owners: readonly Role[];
  readonly things: string;
}

/** An owner receives money and answers bookings, so the account must exist and have a suitable role. */
const assertOwner = async ({ aggregates }: App, id: string, { owners, things }: Entered): Promise<void> => {
  const { state } = await aggregates.load(account, id);
  const isOwner = state.status !== 'none' && (state.role === 'admin' || owners.includes(state.role));
  if (!isOwner) throw new Rejected('invalid', `Account ${id} does not exist or may not own ${things}.`);
};

/**
 * Who owns what the caller enters: themselves, if their role offers such things; an admin may name another owner.
 * @throws HttpError 403 · Rejected `invalid` for an owner who could not enter it
 */
export const ownerFor = async (
  app: App,
  { id, role }: User,
  named: string | undefined,
  entered: Entered,
): Promise<string> => {
  if (role === 'admin') {
    if (named !== undefined && named !== id) await assertOwner(app, named, entered);
    return named ?? id;
  }
  const { things } = entered;
  const owners: readonly string[] = entered.owners;
  if (!owners.includes(role)) throw new HttpError('insufficient_rights', `The role ${role} may not own ${things}.`);
  if (named !== undefined && named !== id)
    throw new HttpError('insufficient_rights', 'Only an admin may set another owner.');
  return id;
};
