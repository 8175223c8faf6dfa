/** What a person is answered whose erasure has begun. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { App } from '../../api/http/app.ts';
import { erasureRoute } from '../../api/privacy/erasure.ts';

const person = randomUUID();
const input = { query: {}, caller: { kind: 'user', id: person }, context: { at: new Date().toISOString() } };
const appWhere = (erase: App['erase']) =>
  ({
    vault: { fingerprint: (kind: string, id: string) => `${kind} ${id}` },
    aggregates: { load: async () => ({ state: { status: 'none' } }) },
    settings: { erasureGraceDays: 0 },
    deletionBlockers: [],
    erase,
  }) as unknown as App;

it.each([
  ['erased', 0],
  ['under_way', 2],
])('is %s while systems outside have not confirmed %i', async (status, waitsOutside) => {
  const answered = await erasureRoute.handle(
    input,
    appWhere(async () => ({ waitsOutside })),
  );
  expect(answered).toEqual({ status, due_at: null, certificate_id: `erasure ${person}` });
});
