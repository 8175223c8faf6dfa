/** Recognises people by their access tokens. */
import type { CommandDeps } from '../../commands/modules.ts';
import { isSeller, roles } from '../../domain/accounts/role.ts';
import { TokenRefused, verifyAccessToken, verifyForEmergency } from '../../infra/tokens.ts';
import type { User } from '../http/caller.ts';

/** The user who holds this access token; null when it is invalid, expired or revoked. In an emergency it may have expired. */
export const authenticateUser = async (
  { pool, settings }: Pick<CommandDeps, 'pool' | 'settings'>,
  token: string,
  isEmergency = false,
): Promise<User | null> => {
  const verify = isEmergency ? verifyForEmergency : verifyAccessToken;
  try {
    const { accountId: id, role: name, sessionId, provedAt } = await verify({ pool, secrets: settings }, token);
    const role = roles.find((known) => known === name);
    return role ? { kind: 'user', id, role, sells: isSeller(role), sessionId, provedAt } : null;
  } catch (error) {
    if (error instanceof TokenRefused) return null;
    throw error;
  }
};
