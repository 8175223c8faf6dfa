/** What the projector does when a batch erases people: it erases them in all live tables, and says what it has erased. */
import type { PoolClient } from '../../infra/postgres.ts';
import type { Change } from './changes.ts';
import { liveTable } from './parked.ts';
import { type Erased, type ErasedRows, type Forgotten, forgetPeople } from './personalRows.ts';
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

/** What is said in the certificates of these people: what this batch has erased, and that what was told of them is purged. */
export const certified = (people: Erased, counts: readonly ErasedRows[]): readonly ErasedRows[] => [
  ...counts,
  ...[...people.keys()].map((person) => ({ person, holder: 'realtime changes', outcome: 'purged', count: 1 }) as const),
];

/** Says it in the certificates, in the transaction that erases. The port to them, because they belong to the commands. */
export type CountErased = (client: PoolClient, erased: readonly ErasedRows[]) => Promise<void>;
