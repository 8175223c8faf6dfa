/** What a person is answered whose erasure has begun. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { App } from '../../api/http/app.ts';
import { erasureRoute } from '../../api/privacy/erasure.ts';
import { FileStoreAway } from '../../commands/files/fileStore.ts';
import { ProviderError } from '../../commands/payments/paymentProvider.ts';

const person = randomUUID();
const input = { query: {}, caller: { kind: 'user', id: person }, context: { at: new Date().toISOString() } };
const appWhere = (erase: () => Promise<void>) =>
  ({
    vault: { fingerprint: (kind: string, id: string) => `${kind} ${id}` },
    aggregates: { load: async () => ({ state: { status: 'none' } }) },
    settings: { erasureGraceDays: 0 },
    erase,
  }) as unknown as App;
const answered = (error: Error) =>
  erasureRoute([]).handle(
    input,
    appWhere(() => Promise.reject(error)),
  );

it.each([
  ['a payment provider', new ProviderError('away', 'no answer')],
  ['the file store', new FileStoreAway('no answer')],
])('is under way while %s does not answer', async (_, error) => {
  expect(await answered(error)).toEqual({ status: 'under_way', due_at: null, certificate_id: `erasure ${person}` });
});

it('fails with what nobody expects', async () => {
  await expect(answered(new Error('a bug'))).rejects.toThrow('a bug');
});
