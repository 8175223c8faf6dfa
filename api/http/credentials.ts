/** From what a caller shows to who it is. */

import type { CommandDeps } from '../../commands/modules.ts';
import { findApiKey, noteKeyUse } from '../../commands/partners/apiKeys.ts';
import { roles } from '../../domain/accounts/account.ts';
import { allowsHost } from '../../domain/partners/apiKey.ts';
import { TokenRefused, verifyAccessToken } from '../../infra/tokens.ts';
import { HttpError } from './errors.ts';
import type { Partner, User } from './route.ts';

/** Who holds this access token; null when it is not valid (any more). */
export const authenticateUser = async (
  { pool, settings }: Pick<CommandDeps, 'pool' | 'settings'>,
  token: string,
): Promise<User | null> => {
  try {
    const access = await verifyAccessToken({ pool, secrets: settings }, token);
    const role = roles.find((known) => known === access.role);
    return role ? { kind: 'user', id: access.accountId, role, sessionId: access.sessionId } : null;
  } catch (error) {
    if (error instanceof TokenRefused) return null;
    throw error;
  }
};

/** The host of a page's address; '' for what is no address, such as the `null` of a sandboxed frame. */
const hostOf = (address: string): string => (URL.canParse(address) ? new URL(address).hostname : '');

/**
 * Whose API key this is; null when it is not valid (any more). A browser's Origin and Referer, where sent, must be of a
 * domain that the key is meant for.
 * @throws HttpError 403 `origin_not_allowed`
 */
export const authenticatePartner = async (
  deps: Pick<CommandDeps, 'aggregates' | 'pool'>,
  key: string,
  { origin, referer }: { origin?: string; referer?: string },
): Promise<Partner | null> => {
  const at = new Date().toISOString();
  const found = await findApiKey(deps, key, at);
  if (!found) return null;
  for (const address of [origin, referer])
    if (address !== undefined && !allowsHost(found.apiKey, hostOf(address)))
      throw new HttpError('origin_not_allowed', `this API key may not be used from ${hostOf(address) || 'there'}`);
  await noteKeyUse(deps, found.id, at);
  return { kind: 'partner', keyId: found.id, scopes: found.apiKey.scopes };
};
