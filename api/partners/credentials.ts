/** Recognises partners by their API keys. */
import type { CommandDeps } from '../../commands/modules.ts';
import { findApiKey, noteKeyUse } from '../../commands/partners/apiKeys.ts';
import { allowsHost } from '../../domain/partners/apiKey.ts';
import type { Partner } from '../http/caller.ts';
import { HttpError } from '../http/errors.ts';

/** The host of a page's address; '' for what is no address, such as the `null` of a sandboxed frame. */
const hostOf = (address: string): string => (URL.canParse(address) ? new URL(address).hostname : '');

/**
 * The partner whose API key this is; null when it is invalid, expired or revoked. The Origin and Referer of a browser,
 * where sent, must be of a domain that the key allows.
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
      throw new HttpError(
        'origin_not_allowed',
        `This API key may not be used from ${hostOf(address) || 'this origin'}.`,
        { about: found.id },
      );
  await noteKeyUse(deps, found.id, at);
  return { kind: 'partner', keyId: found.id, scopes: found.apiKey.scopes };
};
