/**
 * Looks at erased people again: every hour until two days after the erasure, when no request that was under way writes
 * anything about them any more, and once at those whom an earlier release has erased. What it finds goes, and is said in a
 * correction beside the certificate, which itself stays as it was given.
 */

import { certificateOf, correctParts, type ErasedPart } from '../commands/core/certificateParts.ts';
import { deleteRows } from '../commands/core/erasure.ts';
import type { Vault } from '../eventstore/vault.ts';
import type { Migrations } from '../infra/migrations.ts';
import { inTransaction, type Pool } from '../infra/postgres.ts';
import { liveTable } from '../projections/engine/parked.ts';
import { type Erased, forgetPeople } from '../projections/engine/personalRows.ts';
import type { ReadModel } from '../projections/engine/readModel.ts';
import { lockModel } from '../projections/engine/tableVersions.ts';

/** So long after an erasure, a request that was under way could still write something about the person. */
const LATE_DAYS = 2;
/** A little less than the time between two runs. */
const AGAIN_MINUTES = 50;
const AT_ONCE = 100;

interface Deps {
  readonly pool: Pool;
  readonly vault: Pick<Vault, 'fingerprint'>;
}

type PartOfPerson = ErasedPart & { readonly person: string };

const due = async (pool: Pool): Promise<Erased> => {
  const { rows } = await pool.query<{ person_id: string; requested_at: string }>(
    `select person_id, requested_at from ops.erasures
     where checked_at is null
       or checked_at < least(now() - $1 * interval '1 minute', done_at + $2 * interval '1 day')
     order by done_at limit ${AT_ONCE}`,
    [AGAIN_MINUTES, LATE_DAYS],
  );
  return new Map(rows.map(({ person_id, requested_at }) => [person_id, requested_at]));
};

/**
 * Safe to repeat, and from several processes at once.
 * @returns how many people it has looked at, and how many rows it has found
 */
export const checkErasures = async (
  { pool, vault }: Deps,
  { models, tables }: { readonly models: readonly ReadModel[]; readonly tables: readonly Migrations[] },
): Promise<{ readonly people: number; readonly rows: number }> => {
  const checked = { people: 0, rows: 0 };
  for (let people = await due(pool); people.size > 0; people = await due(pool)) {
    const certificates = new Map([...people.keys()].map((person) => [person, certificateOf(vault, person)]));
    const certified = (found: readonly PartOfPerson[]) =>
      found.flatMap(({ person, ...part }) => {
        const certificate = certificates.get(person);
        return certificate ? [{ ...part, certificate }] : [];
      });
    for (const model of models) {
      if (!model.personalData?.whose) continue;
      checked.rows += await inTransaction(pool, async (client) => {
        if (!(await lockModel(client, model))) return 0; // a rebuild leaves out what this would delete
        return correctParts(client, certified(await forgetPeople(client, liveTable(model), people)));
      });
    }
    for (const [person, certificate] of certificates)
      checked.rows += await inTransaction(pool, async (client) => {
        const found = await deleteRows(client, tables, person);
        return correctParts(
          client,
          found.map((part) => ({ ...part, certificate })),
        );
      });
    await pool.query('update ops.erasures set checked_at = now() where person_id = any($1)', [[...people.keys()]]);
    checked.people += people.size;
  }
  return checked;
};
