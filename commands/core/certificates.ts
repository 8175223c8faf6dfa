/** Certificates of erasures: what was erased where, and when, without saying who. */
import { createHmac } from 'node:crypto';
import type { Position } from '../../domain/core/decider.ts';
import type { Vault } from '../../eventstore/vault.ts';
import { type Page, type Paging, pageOfRows } from '../../infra/paging.ts';
import type { Queryable } from '../../infra/postgres.ts';
import type { Correction, ErasedPart } from './certificateParts.ts';

/** An erasure will begin at `dueAt`, unless it is taken back. Safe to repeat; one that has begun stays as it is. */
export const expectCertificate = async (
  db: Queryable,
  id: string,
  { at, dueAt }: { readonly at: string; readonly dueAt: string },
): Promise<void> => {
  await db.query(
    `insert into ops.erasure_certificates as known (id, requested_at, due_at) values ($1, $2, $3)
     on conflict (id) do update set requested_at = excluded.requested_at, due_at = excluded.due_at
     where known.due_at < excluded.due_at`,
    [id, at, dueAt],
  );
};

/** An erasure was taken back. One that has begun stays. */
export const dropExpected = async (db: Queryable, id: string): Promise<void> => {
  await db.query('delete from ops.erasure_certificates where id = $1 and due_at is not null', [id]);
};

/** An erasure has begun. Safe to repeat. @param at since when, RFC 3339 */
export const beginCertificate = async (db: Queryable, id: string, at: string): Promise<void> => {
  await db.query(
    `insert into ops.erasure_certificates as known (id, requested_at) values ($1, $2)
     on conflict (id) do update set requested_at = excluded.requested_at, due_at = null where known.due_at is not null`,
    [id, at],
  );
};

/** All steps were taken at `at`; what is left is that the read models show `position`. A repetition changes nothing. */
export const endCertificate = async (
  db: Queryable,
  id: string,
  { at, position }: { readonly at: string; readonly position: Position | null },
): Promise<void> => {
  await db.query(
    `update ops.erasure_certificates set done_at = $2, commit = $3, prepare = $4 where id = $1 and done_at is null`,
    [id, at, position?.commit.toString() ?? null, position?.prepare.toString() ?? null],
  );
};

/** Whether an erasure has begun of which steps are left. */
export const isErasureUnderWay = async (db: Queryable): Promise<boolean> => {
  const { rowCount } = await db.query(
    'select 1 from ops.erasure_certificates where due_at is null and done_at is null limit 1',
  );
  return rowCount !== 0;
};

export interface Certificate {
  readonly id: string;
  /** RFC 3339. */
  readonly requestedAt: string;
  /** Until then the person can take it back; null: it has begun. */
  readonly dueAt: string | null;
  /** When everything here was gone; null while some steps are left. */
  readonly doneAt: string | null;
  /** Read models that show this position have forgotten the person. */
  readonly position: Position | null;
  readonly parts: readonly ErasedPart[];
  /** The oldest first. */
  readonly corrections: readonly Correction[];
}

interface Row {
  readonly id: string;
  readonly requested_at: string;
  readonly due_at: string | null;
  readonly done_at: string | null;
  readonly commit: string | null;
  readonly prepare: string | null;
  readonly parts: readonly ErasedPart[];
  readonly corrections: readonly Correction[];
}

const certificate = ({ id, requested_at, due_at, done_at, commit, prepare, parts, corrections }: Row): Certificate => ({
  id,
  requestedAt: requested_at,
  dueAt: due_at,
  doneAt: done_at,
  position: commit === null || prepare === null ? null : { commit: BigInt(commit), prepare: BigInt(prepare) },
  parts,
  corrections,
});

const columns = `
  c.id, c.requested_at, c.due_at, c.done_at, c.commit, c.prepare,
  coalesce((select json_agg(json_build_object('holder', holder, 'outcome', outcome, 'count', count) order by holder, outcome)
    from (
      select holder, outcome, count from ops.erased_parts where certificate_id = c.id
      union all
      select holder, 'waiting', count(*)::int from ops.outside_erasures where certificate_id = c.id group by holder
    ) as part), '[]') as parts,
  coalesce((select json_agg(json_build_object('holder', holder, 'outcome', outcome, 'count', count, 'at',
      to_char(at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by at, holder, outcome)
    from ops.erasure_corrections where certificate_id = c.id), '[]') as corrections`;
const from = 'ops.erasure_certificates c';

export const certificateById = async (db: Queryable, id: string): Promise<Certificate | undefined> => {
  const { rows } = await db.query<Row>(`select ${columns} from ${from} where c.id = $1`, [id]);
  return rows[0] && certificate(rows[0]);
};

/** The newest first. */
export const listCertificates = async (db: Queryable, paging: Paging): Promise<Page<Certificate>> => {
  const { rows, total } = await pageOfRows<Row>(db, { columns, from, orderBy: 'c.requested_at desc, c.id' }, paging);
  return { rows: rows.map(certificate), total };
};

/** Whoever keeps a copy can have it compared: a copy that was altered has another signature. Base64url, HMAC-SHA-256. */
export const signatureOf = (
  vault: Pick<Vault, 'fingerprint'>,
  { id, requestedAt, doneAt, parts }: Certificate,
): string =>
  createHmac('sha256', vault.fingerprint('key', 'erasure certificates'))
    .update(
      JSON.stringify([id, requestedAt, doneAt, parts.map(({ holder, outcome, count }) => [holder, outcome, count])]),
    )
    .digest('base64url');
