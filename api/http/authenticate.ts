/** Finds out who is calling, and whether they may call this operation. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { type Actor, Rejected } from '../../domain/core/decider.ts';
import { establishesCaller, scopeInsteadOfAdmin } from './access.ts';
import type { App } from './app.ts';
import type { Caller, User } from './caller.ts';
import { HttpError } from './errors.ts';
import type { DeclaredRoute } from './route.ts';

export type Header = (name: string) => string | undefined;

const unauthenticated = (detail: string, scheme: 'Bearer' | 'ApiKey') =>
  new HttpError('unauthenticated', detail, { headers: { 'www-authenticate': `${scheme} realm="resort"` } });
const insufficient = (detail: string) => new Rejected('insufficient_rights', detail);

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
const sameSecret = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b));

export const bearerToken = (header: Header): string | undefined =>
  /^Bearer +(\S+)$/i.exec(header('authorization') ?? '')?.[1];

const user = async (app: App, header: Header): Promise<User> => {
  const token = bearerToken(header);
  if (!token) throw unauthenticated('Send an access token in the Authorization header.', 'Bearer');
  const found = await app.authenticateUser(token);
  if (!found)
    throw unauthenticated('The access token is invalid or has expired. Refresh it or sign in again.', 'Bearer');
  return found;
};

/** Public operations work without a token, so that an invalid one must not be what makes them fail. */
const userOrNobody = async (app: App, header: Header): Promise<User | null> => {
  const token = bearerToken(header);
  return token === undefined ? null : app.authenticateUser(token);
};

const partner = async (app: App, header: Header, scope: string, onKnown: (id: string) => void) => {
  const key = header('x-api-key');
  if (!key) throw unauthenticated('Send an API key in the X-API-Key header.', 'ApiKey');
  const origin = header('origin');
  const referer = header('referer');
  const found = await app.authenticatePartner(key, { ...(origin && { origin }), ...(referer && { referer }) });
  if (!found) throw unauthenticated('The API key is invalid, expired or revoked.', 'ApiKey');
  onKnown(found.keyId);
  if (!found.scopes.includes(scope)) throw insufficient(`This API key lacks the scope ${scope}.`);
  return found;
};

/**
 * The caller of an operation. `onKnown` is told who they are before their rights are checked.
 * @throws HttpError 401 without valid credentials · Rejected 403 for a caller who may not use the operation
 */
export const authenticate = async (
  app: App,
  { access, rate }: Pick<DeclaredRoute, 'access' | 'rate'>,
  header: Header,
  onKnown: (id: string) => void = () => undefined,
): Promise<Caller> => {
  if (access === 'signed') return null;
  if (access === 'public') return establishesCaller(rate) ? null : userOrNobody(app, header);
  if (access.startsWith('scope:')) return partner(app, header, access.slice('scope:'.length), onKnown);
  const scope = scopeInsteadOfAdmin[access];
  if (scope !== undefined && header('x-api-key')) return partner(app, header, scope, onKnown);
  if (access === 'seed') {
    const token = header('x-admin-token');
    if (token !== undefined) {
      if (!sameSecret(token, app.http.adminToken)) throw unauthenticated('The admin token is invalid.', 'Bearer');
      if (app.http.mayUseAdminToken && !(await app.http.mayUseAdminToken()))
        throw insufficient('There are admins, so the admin token opens nothing any more: sign in as an admin.');
      return { kind: 'seed' };
    }
  }
  const found = await user(app, header);
  onKnown(found.id);
  if (access === 'user' || access === 'emergency') return found;
  if (found.role === 'admin' || (access === 'provider' && found.sells)) return found;
  throw insufficient(`The role ${found.role} may not use this operation.`);
};

/** The caller as the metadata of events names them. */
export const actorOf = (caller: Caller): Actor => {
  if (caller === null) return { kind: 'anonymous', id: 'anonymous', role: 'anonymous' };
  if (caller.kind === 'user') return { kind: 'user', id: caller.id, role: caller.role };
  if (caller.kind === 'partner') return { kind: 'partner', id: caller.keyId, role: 'partner' };
  return { kind: 'seed', id: 'seed', role: 'admin' };
};
