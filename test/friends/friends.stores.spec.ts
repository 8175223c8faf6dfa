/** Friends on the real stores: addresses, races of two people on two nodes, erasure, and positions on a clock of ours. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { changeProfile, openAccount } from '../../commands/accounts/accounts.ts';
import { endAddressInvitation, inviteAddress } from '../../commands/friends/addresses.ts';
import {
  accept,
  block,
  blockedBetween,
  invite,
  leaveAll,
  PER_DAY,
  pairId,
  remove,
  withdraw,
} from '../../commands/friends/friends.ts';
import {
  keepPosition,
  liveSharingEnd,
  seenBy,
  shareLive,
  sharingOf,
  stopSharing,
} from '../../commands/friends/live.ts';
import { Rejected } from '../../domain/core/decider.ts';
import { instantOf, MINUTE_MS } from '../../domain/core/instants.ts';
import { friendship, type Relation } from '../../domain/friends/friendship.ts';
import { newPhone } from '../accounts/sms.ts';
import { contextOf } from '../kit/context.ts';
import { type Node, testDeps } from '../kit/deps.ts';
import { freshStores, type Stores } from '../kit/stores.ts';
import { createMachine } from '../model/machine.ts';

const T = Date.parse('2027-01-01T10:00:00Z');
const at = (minutes: number): string => instantOf(T + minutes * MINUTE_MS);
const time = { ms: T };

let stores: Stores;
let node: Node;
let machine: ReturnType<typeof createMachine>;
const start = () => testDeps(stores, { now: () => instantOf(time.ms) });
beforeAll(async () => {
  stores = await freshStores();
  node = start();
  machine = createMachine(start, time);
});

const by = (person: string, minutes = 0) => contextOf(person, 'tourist', at(minutes));
const open = async (more: { phone?: string; email?: string } = { phone: newPhone() }): Promise<string> => {
  const { accountId } = await openAccount(node, by(randomUUID()), {
    role: 'tourist',
    password: 'correct horse',
    ...more,
  });
  return accountId;
};
/** What the second is to the first. */
const relation = async (a: string, b: string): Promise<Relation | null> =>
  (await node.aggregates.load(friendship, pairId(a, b))).state.relations[a] ?? null;
const befriend = async (a: string, b: string): Promise<void> => {
  await invite(node, by(a), { by: a, other: b }, 'id');
  await accept(node, by(b), { by: b, other: a });
};

describe('an invitation by address', () => {
  it('reaches the account that has the phone, and is withdrawn', async () => {
    const phone = newPhone();
    const [anna, boris] = [await open(), await open({ phone })];
    await inviteAddress(node, by(anna), anna, 'phone', phone);
    await machine.work('main');
    expect(await relation(boris, anna)).toBe('incoming');
    await endAddressInvitation(node, by(anna), anna, node.vault.fingerprint('phone', phone));
    await machine.work('main');
    expect(await relation(boris, anna)).toBeNull();
  });

  it('waits for the account, and ends when the two are friends', async () => {
    const phone = newPhone();
    const anna = await open();
    await inviteAddress(node, by(anna), anna, 'phone', phone);
    await machine.work('main');
    const boris = await open({ phone });
    await machine.work('main');
    expect(await relation(boris, anna)).toBe('incoming');
    await accept(node, by(boris), { by: boris, other: anna });
    await machine.work('main');
    await remove(node, by(boris), { by: boris, other: anna });
    await changeProfile(node, by(boris), boris, { email: `${randomUUID()}@example.test` });
    await machine.work('main');
    expect(await relation(boris, anna)).toBeNull();
  });

  it('does not reach an account that only says that the e-mail address is its own', async () => {
    const email = `${randomUUID()}@example.test`;
    const [anna, boris] = [await open(), await open()];
    await changeProfile(node, by(boris), boris, { email });
    await inviteAddress(node, by(anna), anna, 'email', email);
    await machine.work('main');
    expect(await relation(boris, anna)).toBeNull();
  });

  it('to oneself, or to whom one has blocked, has no effect', async () => {
    const [own, theirs] = [newPhone(), newPhone()];
    const [anna, boris] = [await open({ phone: own }), await open({ phone: theirs })];
    await block(node, by(anna), { by: anna, other: boris });
    await inviteAddress(node, by(anna), anna, 'phone', own);
    await inviteAddress(node, by(anna), anna, 'phone', theirs);
    await machine.work('main');
    expect(await relation(boris, anna)).toBeNull();
    expect((await stores.pool.query("select from ops.jobs where kind = 'policy_retry'")).rowCount).toBe(0);
  });

  it('leaves only a fingerprint and an encrypted hint in the log', async () => {
    const [anna, phone] = [await open(), newPhone()];
    await inviteAddress(node, by(anna), anna, 'phone', phone);
    const events = await stores.store.read(`invitedAddress-${node.vault.fingerprint('phone', phone)}`);
    expect(JSON.stringify(events, (_, value) => (typeof value === 'bigint' ? String(value) : value))).not.toMatch(
      new RegExp(`${phone.slice(1)}|…${phone.slice(-2)}`),
    );
  });
});

describe('two people on two nodes', () => {
  it('are friends when they invite each other at once', async () => {
    for (let n = 0; n < 5; n += 1) {
      const [a, b] = [randomUUID(), randomUUID()];
      await Promise.all([
        invite(start(), by(a), { by: a, other: b }, 'id'),
        invite(start(), by(b), { by: b, other: a }, 'id'),
      ]);
      expect([await relation(a, b), await relation(b, a)]).toEqual(['friends', 'friends']);
    }
  });

  it('agree whether an invitation was accepted or withdrawn', async () => {
    for (let n = 0; n < 5; n += 1) {
      const [a, b] = [randomUUID(), randomUUID()];
      await invite(node, by(a), { by: a, other: b }, 'id');
      const [accepted, withdrawn] = await Promise.allSettled([
        accept(start(), by(b), { by: b, other: a }),
        withdraw(start(), by(a), { by: a, other: b }),
      ]);
      expect([accepted.status, withdrawn.status].toSorted()).toEqual(['fulfilled', 'rejected']);
      const are = accepted.status === 'fulfilled' ? 'friends' : null;
      expect([await relation(a, b), await relation(b, a)]).toEqual([are, are]);
    }
  });
});

it('a block holds in both directions until it ends', async () => {
  const [a, b] = [randomUUID(), randomUUID()];
  expect(await blockedBetween(node, a, b)).toBe(false);
  await block(node, by(a), { by: a, other: b });
  expect([await blockedBetween(start(), a, b), await blockedBetween(start(), b, a)]).toEqual([true, true]);
});

it('a person can invite and block only so many in a day', async () => {
  const limited = testDeps(stores, { settings: { rateLimits: 1 } });
  const anna = randomUUID();
  for (let n = 0; n < PER_DAY; n += 1) await inviteAddress(limited, by(anna), anna, 'phone', newPhone());
  const refused = inviteAddress(limited, by(anna), anna, 'phone', newPhone());
  await expect(refused).rejects.toMatchObject({ code: 'too_many_attempts', facts: { retry_after_s: 86_400 } });
  await inviteAddress(limited, by(anna, 24 * 60), anna, 'phone', newPhone());
});

it('a factor that leaves less than one invitation a day does not switch the limit off', async () => {
  const limited = testDeps(stores, { settings: { rateLimits: 0.001 } });
  const anna = randomUUID();
  await inviteAddress(limited, by(anna), anna, 'phone', newPhone());
  const refused = inviteAddress(limited, by(anna), anna, 'phone', newPhone());
  await expect(refused).rejects.toMatchObject({ code: 'too_many_attempts' });
});

it('an erased person leaves their friends, invitations and blocks', async () => {
  const [anna, friend, inviter, blocker] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  await befriend(anna, friend);
  await invite(node, by(inviter), { by: inviter, other: anna }, 'id');
  await block(node, by(blocker), { by: blocker, other: anna });
  for (let n = 0; n < 2; n += 1) await leaveAll(node, by(anna), anna);
  for (const other of [friend, inviter, blocker]) {
    expect(await relation(anna, other)).toBeNull();
    expect(await relation(other, anna)).toBeNull();
  }
});

describe('live positions', () => {
  const here = { lat: 43.68, lon: 40.2 };
  const share = (person: string, minutes: number, until: number, with_: string[] | null = null) =>
    shareLive(node, by(person, minutes), person, { until: at(until), with: with_ });
  const seen = async (person: string, friends: string[], minutes: number) =>
    (await seenBy(node, person, friends, at(minutes))).map(({ user_id }) => user_id);

  it('are seen by friends who share, each with the other, until the time is over', async () => {
    const [anna, boris, vera] = [randomUUID(), randomUUID(), randomUUID()];
    await befriend(anna, boris);
    await befriend(vera, boris);
    await share(anna, 0, 15);
    await keepPosition(node, { at: at(1) }, anna, here);
    expect(await seen(boris, [anna], 1)).toEqual([]);
    await share(boris, 1, 61, [anna]);
    await share(vera, 1, 61, [boris]);
    expect(await seenBy(node, boris, [anna, vera], at(2))).toEqual([
      { user_id: anna, until: at(15), position: here, at: at(1) },
    ]);
    expect(await seen(anna, [boris, vera], 2)).toEqual([boris]);
    expect(await seen(anna, [], 2)).toEqual([]);
    expect(await seen(boris, [anna], 15)).toEqual([]);
    await stopSharing(node, boris, at(3));
    expect(await seen(anna, [boris], 3)).toEqual([]);
  });

  it('are seen by nobody any more from a block on, also while the read models do not show it', async () => {
    const [anna, boris] = [randomUUID(), randomUUID()];
    await befriend(anna, boris);
    await share(anna, 0, 15);
    await share(boris, 0, 15);
    expect([await seen(anna, [boris], 1), await seen(boris, [anna], 1)]).toEqual([[boris], [anna]]);
    await block(start(), by(anna), { by: anna, other: boris });
    expect([await seen(anna, [boris], 1), await seen(boris, [anna], 1)]).toEqual([[], []]);
  });

  it('keep the last point only, and need the person to share', async () => {
    const anna = randomUUID();
    const keep = (minutes: number, there?: number) =>
      keepPosition(node, { at: at(minutes) }, anna, here, there === undefined ? undefined : at(there));
    await expect(keep(0)).rejects.toBeInstanceOf(Rejected);
    await share(anna, 0, 15);
    expect(await keep(2)).toEqual({ at: at(2), until: at(15) });
    expect(await keep(3, 1)).toBeNull();
    expect(await keep(4, 9)).toEqual({ at: at(4), until: at(15) });
    await expect(keep(15)).rejects.toBeInstanceOf(Rejected);
    await share(anna, 20, 35);
    const { rows } = await stores.pool.query('select position from ops.live_positions where person_id = $1', [anna]);
    expect(rows).toEqual([{ position: null }]);
  });

  it('are deleted when the time is over, not before', async () => {
    const anna = randomUUID();
    const rows = async () =>
      (await stores.pool.query('select from ops.live_positions where person_id = $1', [anna])).rowCount;
    await share(anna, 0, 15);
    await share(anna, 10, 70);
    expect(await sharingOf(node, anna, at(20))).toEqual({ until: at(70), with: null });
    time.ms = T + 16 * MINUTE_MS;
    await machine.work('main');
    await liveSharingEnd.run({ id: anna, data: {}, attempt: 1 } as never, { deps: start(), context: by(anna, 16) });
    expect(await rows()).toBe(1);
    time.ms = T + 70 * MINUTE_MS;
    await machine.work('main');
    expect(await rows()).toBe(0);
    time.ms = T;
  });
});
