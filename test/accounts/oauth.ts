/** Signing in through the sandbox's identity providers: `yandex` with its endpoints set, `vk` by discovery. */
import { expect } from 'vitest';
import type { CallApi, Reply } from '../kit/http.ts';

export type Form = Readonly<Record<string, string>>;

export const oauthOf = (call: CallApi) => {
  const begin = (provider: string, query = '') => call(`GET /api/v1/auth/oauth/${provider}${query}`);
  const end = (provider: string, { search }: Pick<URL, 'search'>) =>
    call(`GET /api/v1/auth/oauth/${provider}/callback${search}`);
  return {
    begin,
    end,
    signInAs: async (provider: string, form: Form) => end(provider, await allow(await begin(provider), form)),
  };
};

/** The query with which the provider sends the person back. */
export const allow = async ({ body }: Pick<Reply, 'body'>, form: Form): Promise<URL> => {
  const response = await fetch(body.authorization_url, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams(form),
    signal: AbortSignal.timeout(5_000),
  });
  expect(response.status).toBe(303);
  return new URL(response.headers.get('location') ?? '');
};
