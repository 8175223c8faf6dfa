/** What read operations show, to whom. */
import { expect } from 'vitest';
import { routes } from '../../api/modules.ts';
import { concurrentEach } from '../../infra/concurrentEach.ts';
import type { CallApi } from '../kit/http.ts';

/** Every read operation, except those whose answers are about nobody or only about who asks. */
export const READS = routes.filter(
  ({ method, path: at, id }) => method === 'GET' && !/export|metrics|\/auth\/oauth/i.test(at + id),
);

/** Name → how they sign in. */
export type Readers = Readonly<Record<string, { readonly token?: string; readonly apiKey?: string }>>;

/**
 * Where readers are shown something.
 * @param reads paths of GET requests
 * @param foundIn what is looked for and is in a reply
 */
export const shownBy = async (
  call: CallApi,
  readers: Readers,
  reads: readonly string[],
  foundIn: (text: string) => readonly string[],
): Promise<string[]> => {
  const asked = reads.flatMap((at) => Object.entries(readers).map((reader) => [at, ...reader] as const));
  const found: string[] = [];
  await concurrentEach(asked, 8, async ([at, reader, credentials]) => {
    const { status, body } = await call(`GET ${at}`, credentials);
    expect(status, `${reader}: GET ${at}`).toBeLessThan(500);
    for (const one of foundIn(typeof body === 'string' ? body : JSON.stringify(body)))
      found.push(`${reader}: GET ${at}: ${one}`);
  });
  return found;
};
