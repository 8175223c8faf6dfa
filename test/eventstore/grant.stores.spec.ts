/** The right to read the whole log. The embedded node keeps the access list, and lets everybody read all the same. */
import { expect, test } from 'vitest';
import { connectEventStore } from '../../eventstore/client/index.ts';
import { freshStores } from '../kit/stores.ts';

test('a user is added to those who may read $all, once, and nobody is taken away', async () => {
  const { eventStore } = await freshStores();
  const admin = connectEventStore(eventStore);
  try {
    expect(await admin.grantReadAll('resort')).toBe('granted');
    expect(await admin.grantReadAll('auditor')).toBe('granted');
    expect(await admin.grantReadAll('resort')).toBe('had it');
    expect(await admin.grantReadAll('$admins')).toBe('had it');
  } finally {
    await admin.close();
  }
});
