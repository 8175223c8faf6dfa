/** Whose something in the catalog is, when it is entered. */
import type { Role } from '../domain/accounts/account.ts';
import { HttpError } from './errors.ts';
import type { User } from './route.ts';

/**
 * Who owns what the caller enters: themselves, if their role offers such things; an admin may name another owner.
 * @throws HttpError 403
 */
export const ownerFor = (
  { id, role }: User,
  named: string | undefined,
  { owners, things }: { readonly owners: readonly Role[]; readonly things: string },
): string => {
  if (role === 'admin') return named ?? id;
  if (!owners.includes(role)) throw new HttpError('insufficient_rights', `the role ${role} has no ${things}`);
  if (named !== undefined && named !== id)
    throw new HttpError('insufficient_rights', 'only an admin may name another owner');
  return id;
};
