/** Whose something in the catalog is, when it is entered. */
import { account, type Role } from '../../domain/accounts/account.ts';
import { Rejected } from '../../domain/core/decider.ts';
import type { App } from '../http/app.ts';
import { HttpError } from '../http/errors.ts';
import type { User } from '../http/route.ts';

/** What is entered, and the roles that offer such things. */
interface Entered {
  readonly owners: readonly Role[];
  readonly things: string;
}

/** Money will be theirs and guests will wait for their answer: they have to be there, and of the trade. */
const assertOwner = async ({ aggregates }: App, id: string, { owners, things }: Entered): Promise<void> => {
  const { state } = await aggregates.load(account, id);
  const isOwner = state.status !== 'none' && (state.role === 'admin' || owners.includes(state.role));
  if (!isOwner) throw new Rejected('invalid', `Nobody who may have ${things} has the id ${id}.`);
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
  const { owners, things } = entered;
  if (!owners.includes(role)) throw new HttpError('insufficient_rights', `the role ${role} has no ${things}`);
  if (named !== undefined && named !== id)
    throw new HttpError('insufficient_rights', 'only an admin may name another owner');
  return id;
};
