/**
 * What an emergency uses instead of what all requests share: connections of its own, and nothing that waits for a database
 * that is known to be away.
 */
import type { CoreDeps } from '../commands/core/deps.ts';
import { type CachedAggregates, createAggregates } from '../commands/core/handle.ts';
import { allEvents } from '../domain/modules.ts';
import { type CodecKeys, createCodec } from '../eventstore/codec.ts';
import type { PersonKey, Vault } from '../eventstore/vault.ts';
import type { DatabaseWatch } from '../infra/databaseWatch.ts';
import { besidePool, OF_EMERGENCIES, type Pool } from '../infra/postgres.ts';
import { isStoreAway } from '../infra/storeFaults.ts';

export interface Emergencies extends Pick<CoreDeps, 'pool' | 'vault' | 'codec'> {
  readonly aggregates: CachedAggregates;
  stop(): Promise<void>;
}

/** Many people call for help at once only if something has happened to many. */
const CONNECTIONS = 3;

const orErased = (error: unknown): PersonKey => {
  if (!isStoreAway(error)) throw error;
  return 'erased';
};

/**
 * The keys of a vault. While the database is away, one that is not in memory is taken for destroyed: what happened is then
 * recorded and read, without what is personal in it.
 */
const keysAtHand = (vault: Vault): CodecKeys => {
  const read = async (id: string): Promise<[string, PersonKey][]> => {
    try {
      return [...(await vault.keysToRead([id]))];
    } catch (error) {
      return [[id, orErased(error)]];
    }
  };
  return {
    keyToWrite: (id) => vault.keyToWrite(id).catch(orErased),
    keysToRead: async (ids) => new Map((await Promise.all([...new Set(ids)].map(read))).flat()),
  };
};

export const forEmergencies = (
  { pool, vault, store, log }: Pick<CoreDeps, 'pool' | 'vault' | 'store' | 'log'>,
  watch: DatabaseWatch,
): Emergencies => {
  const own: Pool = besidePool(pool, { ...OF_EMERGENCIES, max: CONNECTIONS, applicationName: 'emergencies', log });
  const impatient = watch.impatient(own);
  const through = vault.through(impatient);
  const codec = createCodec(allEvents, keysAtHand(through));
  return {
    pool: impatient,
    vault: through,
    codec,
    aggregates: createAggregates(store, codec),
    stop: () => own.end(),
  };
};
