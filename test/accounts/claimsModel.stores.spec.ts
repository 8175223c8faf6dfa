/**
 * Random histories of identifiers: accounts are opened, change, prove, lose and remove addresses, sign in at a provider
 * and are erased; others act before any append of a command, and processes die before any append. Afterwards no
 * identifier leads to an account that does not show it, also while the log is away, no two accounts show the same, what
 * nobody shows is given to the next who asks, and once all that was interrupted is completed, whoever claims an identifier
 * shows it.
 */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { changeProfile, confirmEmail, openAccount } from '../../commands/accounts/accounts.ts';
import { issueCode } from '../../commands/accounts/codes.ts';
import { closeErased, giveBackIdentities } from '../../commands/accounts/erasure.ts';
import { holderOf } from '../../commands/accounts/identities.ts';
import { identitiesOf } from '../../commands/accounts/identityIds.ts';
import { providedHolder } from '../../commands/accounts/links.ts';
import { orphanClaim } from '../../commands/accounts/orphanClaims.ts';
import { accountPolicy } from '../../commands/accounts/policy.ts';
import { removeSignInMethod } from '../../commands/accounts/signInMethods.ts';
import { createAggregates } from '../../commands/core/handle.ts';
import type { CommandDeps } from '../../commands/modules.ts';
import { account } from '../../domain/accounts/account.ts';
import { identity } from '../../domain/accounts/identity.ts';
import { changedNothing, type Recorded } from '../../domain/core/decider.ts';
import { StoreUnavailable } from '../../eventstore/client/index.ts';
import { createScheduler } from '../model/scheduler.ts';
import { context, node, setUpAccounts, stores } from './accountStage.ts';
import { newPhone } from './sms.ts';

setUpAccounts();

const RUNS = 5;

/** What a process has of its own is its cache. */
const newProcess = (store = stores.store): CommandDeps => ({
  ...node,
  store,
  aggregates: createAggregates(store, node.codec),
});

interface World {
  readonly run: string;
  /** Accounts that were opened, by their order. */
  readonly accounts: string[];
  readonly erased: Set<string>;
}

const addressOf = ({ run }: World, n: number): string => `address${n}-${run}@example.test`;
const idOf = (world: World, n: number): string => stores.vault.fingerprint('email', addressOf(world, n));
const subjectOf = ({ run }: World, n: number): string => `${run} ${n}`;
const linkOf = (world: World, n: number): string =>
  stores.vault.fingerprint('oauth', `idp\u0000${subjectOf(world, n)}`);

const kinds = [
  'enter',
  'prove',
  'verify',
  'remove',
  'unlink',
  'open',
  'provider',
  'erase',
  'policy',
  'orphans',
] as const;
interface Act {
  readonly kind: (typeof kinds)[number];
  readonly who: number;
  readonly what: number;
}
const act = (): fc.Arbitrary<Act> => fc.record({ kind: fc.constantFrom(...kinds), who: fc.nat(2), what: fc.nat(1) });
const step = fc.record({
  first: act(),
  /** Before which append of the first the others act. */
  at: fc.nat(4),
  others: fc.array(act(), { maxLength: 3 }),
  /** Before which append the process of the first dies. */
  dies: fc.option(fc.nat(4)),
});

const of = (id: string) => context(0, { actor: { kind: 'user', id, role: 'tourist' } });

const prove = async (deps: CommandDeps, id: string, email: string): Promise<void> => {
  // The last code of an address may be so recent that no other one is sent.
  await deps.pool.query('delete from ops.sms_codes');
  const { code } = await issueCode(deps, context(), { to: email });
  await changeProfile(deps, of(id), id, { email, emailCode: code });
};

const erase = async (deps: CommandDeps, world: World, id: string): Promise<void> => {
  world.erased.add(id);
  await giveBackIdentities(deps, of(id), id);
  await deps.vault.erase(id);
  await closeErased(deps, of(id), id);
};

const followPolicy = async (deps: CommandDeps, id: string): Promise<void> => {
  const events = await deps.codec.decode<Recorded>(await deps.store.read(`account-${id}`));
  for (const event of events)
    await accountPolicy.handlers.get(event.type)?.(event as never, { deps, context: context() });
};

const perform = async (deps: CommandDeps, world: World, { kind, who, what }: Act): Promise<void> => {
  const id = world.accounts[who % world.accounts.length] as string;
  const email = addressOf(world, what);
  switch (kind) {
    case 'enter':
      return void (await changeProfile(deps, of(id), id, { email }));
    case 'prove':
      return prove(deps, id, email);
    case 'verify':
      return confirmEmail(deps, of(id), id, email);
    case 'remove':
      return removeSignInMethod(deps, of(id), id, 'email');
    case 'unlink':
      return removeSignInMethod(deps, of(id), id, linkOf(world, what));
    case 'open':
      return void world.accounts.push(
        (await openAccount(deps, context(), { role: 'tourist', email, phone: newPhone() })).accountId,
      );
    case 'provider': {
      const names = { firstName: '', lastName: '' };
      const person = { provider: 'idp', subject: subjectOf(world, what), verifiedEmail: email, ...names };
      const { accountId, account: shown } = await providedHolder(deps, context(), person);
      expect(shown.links.map(({ identityId }) => identityId)).toContain(linkOf(world, what));
      if (!world.accounts.includes(accountId)) world.accounts.push(accountId);
      return;
    }
    case 'erase':
      return erase(deps, world, id);
    case 'policy':
      return followPolicy(deps, id);
    case 'orphans':
      for (const accountId of world.accounts)
        await orphanClaim.run({ id: idOf(world, what), data: { accountId }, attempt: 1 }, { deps, context: context() });
  }
};

/** A command may be refused or give way, and a process may die: what it leaves is what is asked about. */
const attempt = async (work: () => Promise<void>): Promise<void> => {
  try {
    await work();
  } catch (error) {
    if (!changedNothing(error) && !(error instanceof StoreUnavailable)) throw error;
  }
};

const dying = (store: CommandDeps['store'], dies: number | null): CommandDeps['store'] => {
  let left = dies ?? Number.POSITIVE_INFINITY;
  return {
    ...store,
    append: async (...append) => {
      left -= 1;
      if (left < 0) throw new StoreUnavailable('the process died');
      return store.append(...append);
    },
  };
};
const away: Pick<CommandDeps['store'], 'read'> = { read: () => Promise.reject(new StoreUnavailable('away')) };

const identitiesIn = (world: World): string[] => [0, 1].flatMap((n) => [idOf(world, n), linkOf(world, n)]);

/** The open accounts, with the identities that they show, as their own streams say. */
const openAccounts = async (world: World): Promise<ReadonlyMap<string, readonly string[]>> => {
  const { aggregates, vault } = newProcess();
  // Also those whose process has died before it could say which account it had opened.
  const claims = await Promise.all(identitiesIn(world).map((id) => aggregates.load(identity, id)));
  for (const { state } of claims)
    if (state.accountId && !world.accounts.includes(state.accountId)) world.accounts.push(state.accountId);
  const loaded = world.accounts.map(async (id) => {
    const { state } = await aggregates.load(account, id);
    return [id, state.status === 'open' ? identitiesOf(vault, state) : []] as const;
  });
  return new Map(await Promise.all(loaded));
};

const expectTrue = async (world: World): Promise<void> => {
  const open = await openAccounts(world);
  const [present, withoutLog] = [newProcess(), newProcess({ ...stores.store, ...away })];
  const expectOf = async (id: string) => {
    const shown = world.accounts.filter((each) => open.get(each)?.includes(id));
    const holder = await holderOf(present, id);
    if (holder) expect(shown, 'it leads to an account that shows it').toContain(holder.accountId);
    const lastKnown = await holderOf(withoutLog, id);
    if (lastKnown) expect(shown, 'also while the log is away').toContain(lastKnown.accountId);
    // An erasure gives back what the account shows until it is closed.
    const staying = shown.filter((each) => !world.erased.has(each));
    expect(staying.length, 'one account at most shows it').toBeLessThanOrEqual(1);
    if (staying[0]) expect(holder?.accountId, 'and it leads there').toBe(staying[0]);
  };
  await Promise.all(identitiesIn(world).map(expectOf));
};

/** The next who asks gets what nobody shows, whatever was left, without an operator. */
const expectFree = async (world: World): Promise<void> => {
  const open = [...(await openAccounts(world)).values()].flat();
  for (const n of [0, 1]) {
    if (open.includes(idOf(world, n))) continue;
    const asked = { role: 'tourist', email: addressOf(world, n), phone: newPhone() } as const;
    const { accountId } = await openAccount(newProcess(), context(), asked);
    world.accounts.push(accountId);
    expect((await holderOf(newProcess(), idOf(world, n)))?.accountId).toBe(accountId);
  }
};

/** What was interrupted is completed: erasures are repeated, and jobs release the claims that are left. */
const expectCompleted = async (world: World): Promise<void> => {
  const deps = newProcess();
  for (const id of world.erased) await erase(deps, world, id);
  for (const id of identitiesIn(world)) {
    const { accountId } = (await deps.aggregates.load(identity, id)).state;
    if (accountId) await orphanClaim.run({ id, data: { accountId }, attempt: 1 }, { deps, context: context() });
  }
  const open = await openAccounts(world);
  for (const id of world.erased) expect(open.get(id), 'an erased account shows nothing').toEqual([]);
  for (const id of identitiesIn(world)) {
    const { state: claim } = await newProcess().aggregates.load(identity, id);
    if (claim.accountId) expect(open.get(claim.accountId), 'who claims it shows it').toContain(id);
  }
};

it('leads to no account that does not show it, whatever runs beside or crashes between', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 5 }), async (steps) => {
      const world: World = { run: randomUUID(), accounts: [], erased: new Set() };
      for (let n = 0; n < 3; n += 1) {
        const { accountId } = await openAccount(newProcess(), context(), { role: 'tourist', phone: newPhone() });
        world.accounts.push(accountId);
      }
      for (const { first, at, others, dies } of steps) {
        const scheduler = createScheduler();
        const mortal = newProcess(dying(scheduler.interruptible(stores.store), dies));
        const meanwhile = async () => {
          for (const each of others) await attempt(() => perform(newProcess(), world, each));
        };
        await scheduler.interrupting(at, meanwhile, () => attempt(() => perform(mortal, world, first)));
        await expectTrue(world);
      }
      await expectFree(world);
      await expectCompleted(world);
      await expectTrue(world);
    }),
    // A failure is shown as it was found: shrinking it would run hundreds of other histories.
    { numRuns: RUNS, endOnFailure: true },
  );
});
