/**
 * What systems outside must still be told of somebody who is erased, such as the token of a saved card, or which bytes to
 * delete in a bucket. The erasure does not wait for them: it writes down what has to be told while it can be read, each in a
 * row that is encrypted with a key of its own and does not say who it was. The row and its key go when the system has
 * confirmed it, after seven days at the latest. The certificate counts what waits, and what came of it.
 */

import { addMs, DAY_MS, HOUR_MS, MINUTE_MS, msBetween } from '../../domain/core/instants.ts';
import { ERASED } from '../../domain/core/schema.ts';
import { decryptText, encryptText } from '../../eventstore/vault.ts';
import { derivedId } from '../../infra/ids.ts';
import { migrations } from '../../infra/migrations.ts';
import { OutsideFault } from '../../infra/outsideFault.ts';
import { inTransaction, type Queryable } from '../../infra/postgres.ts';
import { certificateOf, type ErasureOutcome } from './certificateParts.ts';
import type { CoreDeps } from './deps.ts';
import { type CommandContext, followUp } from './handle.ts';
import { defineJob, type JobDefinition } from './jobs.ts';

export const outsideErasureMigrations = migrations('commands', {
  '0004_outside_erasures': `
    create table ops.outside_erasures (
      -- also of the key that "sealed" is encrypted with
      id uuid primary key,
      certificate_id uuid not null,
      kind text not null,
      -- in the words of the certificate
      holder text not null,
      sealed text not null,
      -- when the erasure was requested
      since timestamptz not null
    );
    create index outside_erasures_certificate on ops.outside_erasures (certificate_id);
  `,
  personalData: {
    'ops.outside_erasures': {
      nothing: 'what systems outside must still be told of erased people: encrypted, without saying who',
      retention: { until: 'the system has confirmed it, seven days at the most' },
    },
  },
});

/** So long a system outside has to confirm that it has deleted something. */
const PATIENCE_MS = 7 * DAY_MS;
/** What an erasure itself could not tell is told by a job from then on. */
const FIRST_JOB_MS = MINUTE_MS;

/** `deleted`, `removed`: it has confirmed it. `left`: it refuses, or has no way to delete it. `waiting`: ask again. */
export type Told = Extract<ErasureOutcome, 'deleted' | 'removed' | 'left' | 'waiting'>;

/** What some system outside can be told. */
export interface OutsideErasure<Deps = never> {
  /** Stored in the table: never renamed. */
  readonly kind: string;
  readonly job: JobDefinition<object, Deps>;
  /** Tells it once. Safe to repeat. */
  attempt(deps: Deps, context: CommandContext, id: string): Promise<Attempt>;
}

/** `away`: the system does not answer at all. */
type Attempt = 'ended' | 'waiting' | 'away';

export interface OutsideErasureOf<About, Deps> extends OutsideErasure<Deps> {
  /** Writes down what has to be told. Safe to repeat. @param what.subject what it is about, among those of this person */
  expect(
    deps: Pick<CoreDeps, 'pool' | 'vault'>,
    context: CommandContext,
    person: string,
    what: { readonly holder: string; readonly subject: string; readonly about: About },
  ): Promise<void>;
}

interface Row {
  readonly holder: string;
  readonly sealed: string;
  /** RFC 3339. */
  readonly since: string;
}

/** The row goes and is counted in the certificate in one statement: whatever is killed, it is counted once. */
const end = async ({ pool, vault }: CoreDeps, id: string, outcome: ErasureOutcome): Promise<void> => {
  await pool.query(
    `with gone as (delete from ops.outside_erasures where id = $1 returning certificate_id, holder)
     insert into ops.erased_parts as known (certificate_id, holder, outcome, count)
     select certificate_id, holder, $2, 1 from gone
     on conflict (certificate_id, holder, outcome) do update set count = known.count + excluded.count`,
    [id, outcome],
  );
  await vault.discard(id);
};

/** Often at first, then every hour. */
const nextAttempt = ({ since }: Row, at: string): string =>
  addMs(at, Math.min(HOUR_MS, Math.max(MINUTE_MS, msBetween(since, at) / 10)));

/**
 * @param kind stored in the table: never renamed
 * @param tell safe to repeat, and ends within a time limit. It throws an `OutsideFault` while the system does not answer
 */
export const defineOutsideErasure = <About extends object, Deps extends CoreDeps>(
  kind: string,
  tell: (deps: Deps, context: CommandContext, about: About) => Promise<Told>,
): OutsideErasureOf<About, Deps> => {
  const read = async ({ vault, log }: Deps, id: string, { sealed }: Row): Promise<About | undefined> => {
    try {
      const text = decryptText(await vault.keyToWrite(id), sealed, id);
      return text === ERASED ? undefined : JSON.parse(text);
    } catch (err) {
      log.error({ err, kind, id }, 'what a system outside must be told of an erased person cannot be read');
      return undefined;
    }
  };
  const attemptWith = async (deps: Deps, context: CommandContext, id: string, row: Row): Promise<Attempt> => {
    const about = await read(deps, id, row);
    const told = about === undefined ? 'left' : await orAway(deps, kind, tell(deps, context, about));
    if (told !== 'waiting' && told !== 'away') {
      await end(deps, id, told);
      return 'ended';
    }
    if (msBetween(row.since, deps.now()) < PATIENCE_MS) return told;
    deps.log.error({ kind, holder: row.holder }, 'a system outside may still keep data of an erased person');
    await end(deps, id, 'left');
    return 'ended';
  };
  const job = defineJob<object, Deps>(kind, async ({ id }, { deps, context }) => {
    const row = await rowOf(deps.pool, id);
    if (!row || (await attemptWith(deps, context, id, row)) === 'ended') return undefined;
    return { againAt: nextAttempt(row, context.at) };
  });
  return {
    kind,
    job,
    attempt: async (deps, context, id) => {
      const row = await rowOf(deps.pool, id);
      return row ? attemptWith(deps, context, id, row) : 'ended';
    },
    expect: async ({ pool, vault }, context, person, { holder, subject, about }) => {
      const certificate = certificateOf(vault, person);
      const id = derivedId(certificate, kind, subject);
      const sealed = encryptText(await vault.keyToWrite(id), JSON.stringify(about), id);
      await inTransaction(pool, async (client) => {
        await client.query(
          `insert into ops.outside_erasures (id, certificate_id, kind, holder, sealed, since)
           select $1::uuid, $2::uuid, $3, $4, $5,
             coalesce((select requested_at from ops.erasure_certificates where id = $2::uuid), $6::timestamptz)
           on conflict do nothing`,
          [id, certificate, kind, holder, sealed, context.at],
        );
        await job.scheduleOnce(client, context, { id, dueAt: addMs(context.at, FIRST_JOB_MS), data: {} });
      });
    },
  };
};

const rowOf = async (db: Queryable, id: string): Promise<Row | undefined> => {
  const { rows } = await db.query<Row>('select holder, sealed, since from ops.outside_erasures where id = $1', [id]);
  return rows[0];
};

const orAway = (deps: Pick<CoreDeps, 'log'>, kind: string, telling: Promise<Told>): Promise<Told | 'away'> =>
  telling.catch((err: unknown) => {
    if (!(err instanceof OutsideFault)) throw err;
    deps.log.warn({ err, kind }, 'a system outside does not confirm an erasure: it is asked again');
    return 'away';
  });

/**
 * Tells systems outside what waits for them, until `until` (on the clock of `performance`). The jobs tell what is left.
 * @returns how much still waits
 */
export const tellOutside = async <Deps extends CoreDeps>(
  deps: Deps,
  kinds: readonly OutsideErasure<Deps>[],
  context: CommandContext,
  { certificate, until }: { readonly certificate: string; readonly until: number },
): Promise<number> => {
  const waits = async () =>
    (
      await deps.pool.query<{ id: string; kind: string }>(
        'select id, kind from ops.outside_erasures where certificate_id = $1 order by id',
        [certificate],
      )
    ).rows;
  const away = new Set<string>();
  for (const { id, kind } of await waits()) {
    const known = kinds.find((each) => each.kind === kind);
    if (!known || away.has(kind) || performance.now() >= until) continue;
    if ((await known.attempt(deps, followUp(context, id), id)) === 'away') away.add(kind);
  }
  return (await waits()).length;
};

/** How many erasures still wait for a system outside, of those that were requested some time ago. */
export const countWaiting = async (db: Queryable): Promise<number> => {
  const { rows } = await db.query<{ count: number }>(
    `select count(distinct certificate_id)::int as count from ops.outside_erasures where since < now() - interval '1 hour'`,
  );
  return rows[0]?.count ?? 0;
};
