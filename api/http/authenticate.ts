/** Who is calling, and whether this operation is for them. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { isSeller } from '../../domain/accounts/account.ts';
import type { Actor } from '../../domain/core/decider.ts';
import type { App } from './app.ts';
import { HttpError } from './errors.ts';
import type { Access } from './operations.ts';
import type { Caller } from './route.ts';

type Header = (name: string) => string | undefined;

const unauthenticated = (detail: string, scheme: 'Bearer' | 'ApiKey') =>
  new HttpError('unauthenticated', detail, { headers: { 'www-authenticate': `${scheme} realm="resort"` } });
const insufficient = (detail: string) => new HttpError('insufficient_rights', detail);

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
const sameSecret = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b));

const user = async (app: App, header: Header) => {
  const [, token] = /^Bearer +(\S+)$/i.exec(header('authorization') ?? '') ?? [];
  if (!token) throw unauthenticated('send the access token in the Authorization header', 'Bearer');
  const found = await app.authenticateUser(token);
  if (!found) throw unauthenticated('the access token is not valid or has expired', 'Bearer');
  return found;
};

const partner = async (app: App, header: Header, scope: string) => {
  const key = header('x-api-key');
  if (!key) throw unauthenticated('send the API key in the X-API-Key header', 'ApiKey');
  const origin = header('origin');
  const referer = header('referer');
  const found = await app.authenticatePartner(key, { ...(origin && { origin }), ...(referer && { referer }) });
  if (!found) throw unauthenticated('the API key is not valid', 'ApiKey');
  if (!found.scopes.includes(scope)) throw insufficient(`this API key has no ${scope} permission`);
  return found;
};

/** The caller of an operation with this access. Throws `HttpError` 401 when nobody, 403 when not for them. */
export const authenticate = async (app: App, access: Access, header: Header): Promise<Caller> => {
  if (access === 'public' || access === 'signed') return null;
  if (access.startsWith('scope:')) return partner(app, header, access.slice('scope:'.length));
  if (access === 'auditor' && header('x-api-key')) return partner(app, header, 'audit:read');
  if (access === 'seed') {
    const token = header('x-admin-token');
    if (token !== undefined) {
      if (!sameSecret(token, app.http.adminToken)) throw unauthenticated('the admin token is not valid', 'Bearer');
      return { kind: 'seed' };
    }
  }
  const found = await user(app, header);
  if (access === 'user') return found;
  if (found.role === 'admin' || (access === 'provider' && isSeller(found.role))) return found;
  throw insufficient(`the role ${found.role} may not do this`);
};

/** The caller as events name them. */
export const actorOf = (caller: Caller): Actor => {
  if (caller === null) return { kind: 'anonymous', id: 'anonymous', role: 'anonymous' };
  if (caller.kind === 'user') return { kind: 'user', id: caller.id, role: caller.role };
  if (caller.kind === 'partner') return { kind: 'partner', id: caller.keyId, role: 'partner' };
  return { kind: 'seed', id: 'seed', role: 'admin' };
};
