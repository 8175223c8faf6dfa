/** Accounts whose number was stored before numbering plans were known. */
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { openAccount } from '../../commands/accounts/accounts.ts';
import { findHolder } from '../../commands/accounts/identities.ts';
import { identityId } from '../../commands/accounts/identityIds.ts';
import { account } from '../../domain/accounts/account.ts';
import { identity } from '../../domain/accounts/identity.ts';
import { contextOf } from '../kit/context.ts';
import { type Node, testDeps } from '../kit/deps.ts';
import { freshStores, type Stores } from '../kit/stores.ts';

let stores: Stores;
let node: Node;
beforeAll(async () => {
  stores = await freshStores();
  node = testDeps(stores);
});

/** What the former release stored for a number as it was typed. */
const openedBefore = async (phone: string): Promise<string> => {
  const id = randomUUID();
  const claim = { type: 'ClaimIdentity', accountId: id, asOf: 0 } as const;
  await node.aggregates.handle(identity, identityId(node.vault, 'phone', phone), claim, contextOf(id));
  const open = { type: 'OpenAccount', role: 'tourist', email: null, phone, firstName: '', lastName: '' } as const;
  const command = { ...open, language: 'en', passwordHash: null, asOf: 0 };
  await node.aggregates.handle(account, id, command, contextOf(id));
  return id;
};

it('sign in as before, also with a number that is none', async () => {
  const withZero = await openedBefore('+4402079460018');
  const invented = await openedBefore('+999123456789');
  for (const typed of ['+44 (0)20 7946 0018', '+4402079460018'])
    expect(await findHolder(node, 'phone', typed)).toMatchObject({ accountId: withZero });
  expect(await findHolder(node, 'phone', '+999 123-456-789')).toMatchObject({ accountId: invented });
  expect(await findHolder(node, 'phone', '+442079460018')).toBeNull();
});

it('give way to who has the number as it is dialled', async () => {
  const former = await openedBefore('+4402079460019');
  const { accountId } = await openAccount(node, contextOf(randomUUID()), {
    role: 'tourist',
    phone: '+44 (0)20 7946 0019',
  });
  expect(accountId).not.toBe(former);
  expect(await findHolder(node, 'phone', '+44 (0)20 7946 0019')).toMatchObject({ accountId });
});
