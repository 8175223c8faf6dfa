/** What the specs of accounts on the real stores share: times of our choosing, text messages that are kept, several nodes. */

import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach } from 'vitest';
import { type NewAccount, openAccount } from '../../commands/accounts/accounts.ts';
import { accountPolicy } from '../../commands/accounts/policy.ts';
import { signIn } from '../../commands/accounts/signIn.ts';
import { type CommandContext, createAggregates } from '../../commands/core/handle.ts';
import type { CommandDeps } from '../../commands/modules.ts';
import { type Recorded, Rejected } from '../../domain/core/decider.ts';
import { instantOf } from '../../domain/core/instants.ts';
import { StoreUnavailable } from '../../eventstore/client/index.ts';
import { type Access, TokenRefused, verifyAccessToken } from '../../infra/tokens.ts';
import { type Changes, testDeps } from '../kit/deps.ts';
import { freshStores, type Stores } from '../kit/stores.ts';

export const PASSWORD = 'correct horse battery';
/** Instead of half a minute. */
export const DELAY = 40;
/** When the spec began: specs share this module. */
export let START: number;

export let stores: Stores;
export let node: CommandDeps;
export let sent: { phone: string; text: string }[];

/** One api process: a cache of its own over the shared stores. */
export const newNode = (settings: Changes['settings'] = {}): CommandDeps =>
  testDeps(stores, {
    sms: { send: async (phone: string, text: string) => void sent.push({ phone, text }) },
    settings: { rateLimits: 1, longestDelayMs: DELAY, ...settings },
  });

export const context = (after = 0, more: Partial<CommandContext> = {}): CommandContext => ({
  correlationId: randomUUID(),
  causationId: randomUUID(),
  commandId: randomUUID(),
  actor: { kind: 'anonymous', id: 'anonymous', role: 'anonymous' },
  ip: '192.0.2.1',
  at: instantOf(START + after),
  ...more,
});

export const newAccount = (more: Partial<NewAccount> = {}): NewAccount & { email: string } => ({
  role: 'tourist',
  firstName: 'Anna',
  lastName: 'Orlova',
  password: PASSWORD,
  ...more,
  email: more.email ?? `${randomUUID()}@example.test`,
});

/** The code of a refusal; fails when there was none. */
export const refusal = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'nothing was refused',
    (error: unknown) => {
      if (error instanceof Rejected) return error.code;
      if (error instanceof TokenRefused) return error.reason;
      throw error;
    },
  );
export const whose = (deps: CommandDeps, token: string): Promise<Access> =>
  verifyAccessToken({ pool: deps.pool, secrets: deps.settings }, token);
export const lastCode = (): string => /\d{6}/.exec(sent.at(-1)?.text ?? '')?.[0] ?? 'none';
export const wrong = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

/** Gives each spec file stores of its own, and each test a new node. */
export const setUpAccounts = (): void => {
  beforeAll(async () => {
    START = Date.now();
    stores = await freshStores();
  });
  beforeEach(async () => {
    sent = [];
    node = newNode();
    await stores.pool.query('truncate ops.attempts');
  });
};

/** A node whose process dies right before the given append to a stream of this category. */
export const dyingBefore = (category: string): CommandDeps => {
  const dying = newNode();
  const store: CommandDeps['store'] = {
    ...dying.store,
    append: (stream, events, expected) =>
      stream.startsWith(`${category}-`)
        ? Promise.reject(new StoreUnavailable('the process died'))
        : dying.store.append(stream, events, expected),
  };
  return { ...dying, store, aggregates: createAggregates(store, dying.codec) };
};

/** Lets the policy see all events of this type of an account, as after a restart. */
export const replay = async (accountId: string, type: string, category = 'account'): Promise<void> => {
  const deps = newNode();
  const stored = await deps.store.read(`${category}-${accountId}`);
  const events = await deps.codec.decode<Recorded>(stored, new Set([type]));
  for (const event of events) await accountPolicy.handlers.get(type)?.(event as never, { deps, context: context() });
};

/** A new account whose holder has signed in. */
export const session = async (deps = node) => {
  const input = newAccount();
  await openAccount(deps, context(), input);
  return {
    ...(await signIn(deps, context(), { identifier: input.email, password: PASSWORD })),
    email: input.email,
  };
};
