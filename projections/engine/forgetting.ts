/** What the projector does when a batch erases people: it erases them in all live tables, and says what it has erased. */
import type { PoolClient } from '../../infra/postgres.ts';
import type { Change } from './changes.ts';
import { liveTable } from './parked.ts';
import { type Erased, type ErasedRows, forgetPeople } from './personalRows.ts';
import type { ReadModel } from './readModel.ts';
import { inTurn } from './statementsInTurn.ts';
import { changesOfAll, channelsOf, type Moved } from './tellings.ts';

/**
 * Where an erasure changes more rows than this, who sees one of them reads their state again, instead of being told of each:
 * so many rows are not kept in memory.
 */
const MOST_TOLD = 2_000;

interface ForgottenOfAll {
  /** What the hubs send. */
  readonly told: readonly Change[];
  /** What nobody gets: it takes a number of each channel that is not told of the rows, so that its listeners find a gap. */
  readonly gaps: readonly Change[];
  readonly counts: readonly ErasedRows[];
}

/** Forgets people in the live tables of the models, also in those that have done so already: they have nothing to forget. */
export const forget = async (
  client: PoolClient,
  models: readonly ReadModel[],
  people: Erased,
): Promise<ForgottenOfAll> => {
  const [first] = people;
  if (!first) return { told: [], gaps: [], counts: [] };
  let rows = 0;
  let moved: Moved[] = [];
  const channels = new Set<string>();
  const counts = await inTurn(client, models, (model, db) =>
    forgetPeople(db, liveTable(model), people, (moves) => {
      if (model.publishTo.length === 0) return;
      for (const channel of channelsOf(model, moves)) channels.add(channel);
      rows += moves.length;
      moved = rows > MOST_TOLD ? [] : [...moved, { model, moves }];
    }),
  );
  const [person, at] = first;
  const gap = (channel: string): Change => ({ channel, type: 'gap', data: '{}', at, ofPeople: [person] });
  if (rows > MOST_TOLD) return { told: [], gaps: [...channels].map(gap), counts: counts.flat() };
  // What was told of these rows before is forgotten: it need not be looked for.
  const told = (await changesOfAll(client, moved)).map((change) => ({ ...change, withdraws: null }));
  return { told, gaps: [], counts: counts.flat() };
};

/** What is said in the certificates of these people: what this batch has erased, and that what was told of them is purged. */
export const certified = (people: Erased, counts: readonly ErasedRows[]): readonly ErasedRows[] => [
  ...counts,
  ...[...people.keys()].map((person) => ({ person, holder: 'realtime changes', outcome: 'purged', count: 1 }) as const),
];

/** Says it in the certificates, in the transaction that erases. The port to them, because they belong to the commands. */
export type CountErased = (client: PoolClient, erased: readonly ErasedRows[]) => Promise<void>;
