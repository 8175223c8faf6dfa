/** What stands beside an event's data in the log: who did it, why, from where, when, and in which shape it is stored. */
import { type Static, Type } from '@sinclair/typebox';
import type { EventMeta } from '../domain/core/decider.ts';
import { Instant, Nullable, OneOf } from '../domain/core/schema.ts';
import { networkOf } from '../infra/network.ts';
import { validator } from '../infra/validation.ts';
import { ADDRESS_FIELD, decryptAt, encryptAt } from './personalTexts.ts';
import type { PersonKey, Vault } from './vault.ts';

/** The format of the log since release 0.1.0. Events of a format that this release does not know are not read. */
export const LOG_FORMAT = 1;

/** `$correlationId` and `$causationId` are EventStoreDB's own names for them. */
const Metadata = Type.Object({
  $correlationId: Type.String(),
  $causationId: Type.String(),
  commandId: Type.String(),
  actor: Type.Object({
    kind: OneOf(['user', 'anonymous', 'partner', 'system', 'seed']),
    id: Type.String(),
    role: Type.String(),
  }),
  /** Personal data: encrypted with the key of the user who acted. Of all others, only the network is stored. */
  ip: Nullable(Type.String()),
  at: Instant,
  /** Version of the event's data. */
  schema: Type.Integer({ minimum: 1 }),
  format: Type.Literal(LOG_FORMAT),
});
export type StoredMetadata = Static<typeof Metadata>;
export const isMetadata = validator(Metadata);

const fits = new Map(Object.entries(Metadata.properties).map(([name, schema]) => [name, validator(schema)]));

/** What can be known of an event that others may have written: the parts of its metadata that are as ours. */
export const knownMetadata = ({ metadata }: { readonly metadata: unknown }): Partial<StoredMetadata> =>
  metadata === null || typeof metadata !== 'object'
    ? {}
    : Object.fromEntries(Object.entries(metadata).filter(([name, value]) => fits.get(name)?.(value)));

/** Whose key encrypts the address; undefined when it is not encrypted. */
export const personOfAddress = ({ actor, ip }: Pick<StoredMetadata, 'actor' | 'ip'>): string | undefined =>
  actor.kind === 'user' && ip !== null ? actor.id : undefined;

/** Metadata of the event `id`, ready to be stored. */
export const toMetadata = async (
  meta: EventMeta,
  { id, schema, vault }: { id: string; schema: number; vault: Pick<Vault, 'keyToWrite'> },
): Promise<StoredMetadata> => {
  const person = personOfAddress(meta);
  const { ip } = meta;
  return {
    $correlationId: meta.correlationId,
    $causationId: meta.causationId,
    commandId: meta.commandId,
    actor: meta.actor,
    ip:
      ip &&
      (person === undefined
        ? networkOf(ip)
        : encryptAt(await vault.keyToWrite(person), ip, { event: id, field: ADDRESS_FIELD, person })),
    at: meta.at,
    schema,
    format: LOG_FORMAT,
  };
};

/** The address as it was given; `[erased]` once the user's key was destroyed, the network for everyone else. */
export const addressOf = (stored: StoredMetadata, id: string, keys: ReadonlyMap<string, PersonKey>): string | null => {
  const person = personOfAddress(stored);
  if (stored.ip === null || person === undefined) return stored.ip;
  return decryptAt(keys.get(person), stored.ip, { event: id, field: ADDRESS_FIELD, person });
};

/** Stored metadata as the domain knows it. */
export const fromMetadata = (stored: StoredMetadata, ip: string | null): EventMeta => ({
  correlationId: stored.$correlationId,
  causationId: stored.$causationId,
  commandId: stored.commandId,
  actor: stored.actor,
  ip,
  at: stored.at,
});
