/**
 * Identity providers for local use: `/sandbox-idp/<name>/…` is one for any name. Its page signs in as any person; in
 * scripts, `POST` the form to the address of the page. It requires PKCE and accepts a code only once. Codes and tokens
 * are kept in memory for ten minutes.
 */
import { createHash, randomBytes } from 'node:crypto';
import type Router from '@koa/router';
import { type Static, Type } from '@sinclair/typebox';
import type { Context } from 'koa';
import { type Html, html } from '../../../infra/html.ts';
import { explain, validator } from '../../../infra/validation.ts';
import { ApiError, invalid } from '../core/apiError.ts';
import { formOf, send } from '../payments/paymentPage.ts';

const CLIENT = { id: 'sandbox', secret: 'sandbox' };
const TTL_MS = 600_000;

const Asked = Type.Object({
  response_type: Type.Literal('code'),
  client_id: Type.Literal(CLIENT.id),
  redirect_uri: Type.String({ pattern: '^[a-z][a-z0-9+.-]*://' }),
  state: Type.String({ minLength: 8 }),
  code_challenge: Type.String({ pattern: '^[A-Za-z0-9_-]{43}$' }),
  code_challenge_method: Type.Literal('S256'),
});
type Asked = Static<typeof Asked>;

interface Granted {
  readonly provider: string;
  readonly asked: Asked;
  readonly claims: object;
  readonly until: number;
}

/** A store for values that can be used once. */
const once = <T extends { readonly until: number }>() => {
  const kept = new Map<string, T>();
  return {
    keep: (value: T): string => {
      for (const [key, { until }] of kept) if (until < Date.now()) kept.delete(key);
      const key = randomBytes(24).toString('base64url');
      kept.set(key, value);
      return key;
    },
    take: (key: unknown): T | undefined => {
      const found = kept.get(String(key));
      kept.delete(String(key));
      return found && found.until > Date.now() ? found : undefined;
    },
  };
};

interface Addresses {
  /** Where browsers reach the sandbox: they open the page to sign in. */
  readonly publicUrl: () => string;
  /** Where the roles reach it: they exchange codes, and know a provider by this address. */
  readonly rolesUrl: () => string;
}

export const mountIdentityProviders = (router: Router, { publicUrl, rolesUrl }: Addresses): void => {
  const [codes, tokens] = [once<Granted>(), once<Granted>()];
  const isAsked = validator(Asked, 'text');
  const asked = (ctx: Context): Asked => {
    const query: unknown = { ...ctx.query };
    if (!isAsked(query)) throw invalid(explain(isAsked.errors));
    return query;
  };

  router.get('/sandbox-idp/:provider/.well-known/openid-configuration', (ctx) => {
    const path = `/sandbox-idp/${ctx.params.provider}`;
    ctx.body = metadata(`${rolesUrl()}${path}`, `${publicUrl()}${path}/authorize`);
  });
  router.get('/sandbox-idp/:provider/authorize', (ctx) => {
    const { redirect_uri } = asked(ctx);
    send(ctx, 200, `Sign in by ${ctx.params.provider} – sandbox`, signInPage(ctx.params.provider ?? ''), redirect_uri);
  });
  router.post('/sandbox-idp/:provider/authorize', (ctx) => {
    const request = asked(ctx);
    const form = formOf(ctx);
    const grant = { provider: ctx.params.provider ?? '', asked: request, until: Date.now() + TTL_MS };
    const answer: Record<string, string> =
      form.action === 'refuse'
        ? { error: 'access_denied' }
        : { code: codes.keep({ ...grant, claims: claimsOf(form) }) };
    const back = new URL(request.redirect_uri);
    for (const [name, value] of Object.entries({ ...answer, state: request.state })) back.searchParams.set(name, value);
    ctx.status = 303;
    ctx.set('location', back.href);
  });
  router.post('/sandbox-idp/:provider/token', (ctx) => {
    const form = formOf(ctx);
    const granted = codes.take(form.code);
    if (form.client_id !== CLIENT.id || form.client_secret !== CLIENT.secret) return refuse(ctx, 401, 'invalid_client');
    if (!granted || !redeems(form, granted, ctx.params.provider)) return refuse(ctx, 400, 'invalid_grant');
    ctx.body = { access_token: tokens.keep(granted), token_type: 'Bearer', expires_in: TTL_MS / 1_000 };
  });
  router.get('/sandbox-idp/:provider/userinfo', (ctx) => {
    const granted = tokens.take(ctx.get('authorization').replace(/^Bearer /i, ''));
    if (granted?.provider !== ctx.params.provider)
      throw new ApiError(401, 'invalid_token', 'The token is unknown or expired');
    ctx.body = granted?.claims;
  });
};

const metadata = (issuer: string, authorization: string) => ({
  issuer,
  authorization_endpoint: authorization,
  token_endpoint: `${issuer}/token`,
  userinfo_endpoint: `${issuer}/userinfo`,
  response_types_supported: ['code'],
  grant_types_supported: ['authorization_code'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: ['client_secret_post'],
});

const redeems = (form: Record<string, unknown>, { provider, asked }: Granted, at: string | undefined): boolean =>
  provider === at &&
  form.grant_type === 'authorization_code' &&
  form.redirect_uri === asked.redirect_uri &&
  createHash('sha256').update(String(form.code_verifier)).digest('base64url') === asked.code_challenge;

const refuse = (ctx: Context, status: number, error: string): void => {
  ctx.status = status;
  ctx.body = { error };
};

/** Default of `subject`: derived from the e-mail address, so that the same person gets the same one. */
const claimsOf = ({ subject, email, email_verified, first_name, last_name }: Record<string, unknown>) => ({
  sub: String(subject || createHash('sha256').update(String(email)).digest('hex').slice(0, 24)),
  ...(email ? { email: String(email), email_verified: email_verified === 'true' } : {}),
  given_name: String(first_name ?? ''),
  family_name: String(last_name ?? ''),
});

const signInPage = (provider: string): Html => html`<section class="sheet">
<h1>In place of ${provider}</h1>
<h2>Sign in as …</h2>
<form method="post" autocomplete="off">
<label>E-mail
<input name="email" type="email" value="anna@example.test"></label>
<div class="pair">
<label>First name
<input name="first_name" value="Anna"></label>
<label>Last name
<input name="last_name" value="Orlova"></label>
</div>
<label>Is the address verified? (true or false)
<input name="email_verified" value="true" pattern="true|false" required></label>
<button name="action" value="allow">Sign in</button>
<button name="action" value="refuse" class="second">Refuse</button>
</form>
</section>`;
