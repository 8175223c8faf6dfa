/** What commands, policies and jobs need in a test: every module's own ports and settings, as in development. */
import { countErasedWith } from '../../commands/core/certificateParts.ts';
import { createAggregates } from '../../commands/core/handle.ts';
import { createSnapshots } from '../../commands/core/snapshots.ts';
import { bindPayables, type CommandDeps, connectModules } from '../../commands/modules.ts';
import { allEvents } from '../../domain/modules.ts';
import { createCodec } from '../../eventstore/codec.ts';
import { readConfig } from '../../ops/config.ts';
import { exportSections } from '../../ops/processingRecord.ts';
import { tellAccounts } from '../../projections/accounts/accountMessages.ts';
import type { CountErased } from '../../projections/engine/forgetting.ts';
import type { Stores } from './stores.ts';

/** One process of its own. */
export type Node = CommandDeps & { readonly databaseUrl: string; readonly countErased: CountErased };

/** What a test sets otherwise. Settings that are not named stay. */
export type Changes = Partial<Omit<CommandDeps, 'settings' | 'payables'>> & {
  readonly settings?: Partial<CommandDeps['settings']>;
};

const SETTINGS: Partial<CommandDeps['settings']> = {
  rateLimits: 0,
  paymentReturnUrls: ['https://app.test'],
  publicUrl: 'https://app.test',
};

/** The same process with some of its dependencies replaced; it keeps the cache of its aggregates by default. */
export const changed = (node: Node, changes: Changes): Node => ({
  databaseUrl: node.databaseUrl,
  countErased: node.countErased,
  ...bindPayables({ ...node, ...changes, settings: { ...node.settings, ...changes.settings } }),
});

/** A process with a cache of its own over the stores, with the ports of development: nothing is connected yet. */
export const testDeps = (stores: Omit<Stores, 'countErased'>, changes: Changes = {}): Node => {
  const { store, vault, pool, log, databaseUrl } = stores;
  const codec = createCodec(allEvents, vault);
  const snapshots = createSnapshots(pool, log, vault);
  const core = {
    aggregates: createAggregates(store, codec, { snapshots }),
    snapshots,
    store,
    codec,
    vault,
    pool,
    patientPool: pool,
    jobs: pool,
    publish: tellAccounts,
    tell: () => undefined,
    settle: async () => 'settled' as const,
    erase: () => Promise.reject(new Error('this test erases nobody')),
    exportSections,
    log,
    now: () => new Date().toISOString(),
  };
  const node = {
    databaseUrl,
    countErased: countErasedWith(vault),
    ...connectModules(readConfig({ NODE_ENV: 'test' }), core),
  };
  return changed(node, { ...changes, settings: { ...SETTINGS, ...changes.settings } });
};
