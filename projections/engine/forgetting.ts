/** What the projector does when a batch erases people: it forgets them in all live tables, and certifies what it has forgotten. */
import type { Vault } from '../../eventstore/vault.ts';
import { addParts, certificateOf, recordParts } from '../../infra/erasedParts.ts';
import type { PoolClient } from '../../infra/postgres.ts';
import type { Change } from './changes.ts';
import { liveTable } from './parked.ts';
import { type Erased, type Forgotten, forgetPeople } from './personalRows.ts';
import type { ReadModel } from './readModel.ts';
import { inTurn } from './statementsInTurn.ts';
import { changesOfAll } from './tellings.ts';

/** Where an erasure changes more rows than this, clients read their state again, instead of being told of each. */
const MOST_TOLD = 10_000;

interface ForgottenOfAll extends Pick<Forgotten, 'counts'> {
  /** What the hubs send; undefined: these are too many rows to be told of. */
  readonly told: readonly Change[] | undefined;
}

/** Forgets people in the live tables of the models, also in those that have done so already: they have nothing to forget. */
export const forget = async (
  client: PoolClient,
  models: readonly ReadModel[],
  people: Erased,
): Promise<ForgottenOfAll> => {
  if (people.size === 0) return { told: [], counts: [] };
  const moved = await inTurn(client, models, async (model, db) => ({
    model,
    ...(await forgetPeople(db, liveTable(model), people)),
  }));
  const counts = moved.flatMap((each) => each.counts);
  const published = moved.filter(({ model }) => model.publishTo.length > 0);
  if (published.reduce((rows, { moves }) => rows + moves.length, 0) > MOST_TOLD) return { told: undefined, counts };
  // What was told of these rows before is forgotten: it need not be looked for.
  const told = (await changesOfAll(client, published)).map((change) => ({ ...change, withdraws: null }));
  return { told, counts };
};

/** Records in the certificates of these people what this batch has forgotten. */
export const certify = async (
  client: PoolClient,
  vault: Pick<Vault, 'fingerprint'>,
  people: Erased,
  counts: Forgotten['counts'],
): Promise<void> => {
  const parts = counts.map(({ person, ...part }) => ({ ...part, certificate: certificateOf(vault, person) }));
  await addParts(client, parts);
  // Of everybody, by each group.
  const changes = { holder: 'realtime changes', outcome: 'purged', count: 1 } as const;
  for (const person of people.keys()) await recordParts(client, certificateOf(vault, person), [changes]);
};
