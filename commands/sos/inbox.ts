/**
 * What people in need sent while the log could not take it: requests, and positions after them. It is kept in Postgres,
 * encrypted, until the log can: with the ids and the time of the request, so that one that was recorded after all is not
 * recorded twice.
 */
import { Rejected } from '../../domain/core/decider.ts';
import { addMs } from '../../domain/core/instants.ts';
import { ERASED } from '../../domain/core/schema.ts';
import type { SosReport } from '../../domain/sos/incident.ts';
import { sosPurpose } from '../../domain/sos/index.ts';
import { decryptText, encryptText } from '../../eventstore/vault.ts';
import { derivedId } from '../../infra/ids.ts';
import { migrations } from '../../infra/migrations.ts';
import { inTransaction } from '../../infra/postgres.ts';
import type { CommandContext } from '../core/handle.ts';
import { defineJob } from '../core/jobs.ts';
import type { SosDeps } from './deps.ts';
import { recordReport, recordRequest } from './record.ts';

export const inboxMigrations = migrations('sos', {
  '0002_inbox': `
    create table ops.sos_inbox (
      id uuid primary key,
      account_id uuid not null,
      at timestamptz not null,
      -- encrypted JSON
      request text not null
    );
  `,
  '0003_inbox_incidents': `
    -- what the person was told; null in rows of before, whose own id it is
    alter table ops.sos_inbox add column incident_id uuid;
    create index sos_inbox_account_id on ops.sos_inbox (account_id, at, id);
  `,
  // Shown once it is recorded.
  personalData: {
    'ops.sos_inbox': {
      whose: 'account_id',
      exported: ['at'],
      erased: 'deleted',
      why: sosPurpose,
      retention: { until: 'the log has taken it' },
      seenBy: ['nobody'],
    },
  },
});

const RETRY_MS = 5_000;
const contextFor = (incidentId: string): string => `sos inbox ${incidentId}`;

interface Kept {
  readonly context: CommandContext;
  readonly report: SosReport;
  /** Positions that follow on a request; absent: a request. */
  readonly isAddition?: true;
}

/** So much is kept of one person: what a device sends beyond it repeats what it has sent. */
const MOST_KEPT = 500;

/** The incident that the person was told of while the log was away, until it is recorded. */
export const promisedIncident = async (
  { pool }: Pick<SosDeps, 'pool'>,
  personId: string,
): Promise<string | undefined> => {
  const { rows } = await pool.query<{ id: string }>(
    'select coalesce(incident_id, id) as id from ops.sos_inbox where account_id = $1 order by at, id limit 1',
    [personId],
  );
  return rows[0]?.id;
};

/**
 * Keeps what a person sent until the log can take it.
 * @param incidentId what the person is told
 * @throws when the database is away, too
 */
export const keepForLater = async (
  { pool, vault }: Pick<SosDeps, 'pool' | 'vault'>,
  { onSettled, isFirstAttempt, ...context }: CommandContext,
  { incidentId, personId, ...said }: { readonly incidentId: string; readonly personId: string } & Omit<Kept, 'context'>,
): Promise<void> => {
  const kept: Kept = { context: { ...context, ip: null }, ...said };
  const id = derivedId(context.commandId, 'sos');
  const request = encryptText(await vault.keyToWrite(personId), JSON.stringify(kept), contextFor(id));
  const dueAt = addMs(context.at, RETRY_MS);
  // Together: nothing would read a request without its job.
  await inTransaction(pool, (client) =>
    Promise.all([
      client.query(
        `insert into ops.sos_inbox (id, account_id, incident_id, at, request)
         select $1, $2, $3, $4, $5 where (select count(*) from ops.sos_inbox where account_id = $2) < ${MOST_KEPT}
         on conflict (id) do nothing`,
        [id, personId, incidentId, context.at, request],
      ),
      sosInbox.schedule(client, context, { id, dueAt, data: {} }),
    ]),
  );
};

interface Row {
  readonly id: string;
  readonly account_id: string;
  readonly incident_id: string;
  readonly request: string;
}

/** Positions that nobody needs any more, as the incident has ended, are dropped. */
const unlessEnded = (error: unknown): void => {
  if (!(error instanceof Rejected)) throw error;
};

/**
 * Records what was kept of the person of one entry, in the order in which it was sent. It never gives up: an alarm that
 * cannot be recorded is tried again every few seconds. The job's id is the entry's.
 */
export const sosInbox = defineJob<object, SosDeps>(
  'sos_inbox',
  async ({ id }, { deps }) => {
    const { rows } = await deps.pool.query<Row>(
      `select id, account_id, coalesce(incident_id, id) as incident_id, request from ops.sos_inbox
       where account_id = (select account_id from ops.sos_inbox where id = $1) order by at, id`,
      [id],
    );
    const personId = rows[0]?.account_id;
    if (personId === undefined) return undefined;
    const key = (await deps.vault.keysToRead([personId])).get(personId);
    for (const row of rows) {
      const text = key === undefined ? ERASED : decryptText(key, row.request, contextFor(row.id));
      if (text !== ERASED) {
        const { context, report, isAddition } = JSON.parse(text) as Kept;
        if (isAddition)
          await recordReport(deps, context, { personId, incidentId: row.incident_id, report }).catch(unlessEnded);
        else await recordRequest(deps, context, { personId, report, promisedId: row.incident_id });
      }
      await deps.pool.query('delete from ops.sos_inbox where id = $1', [row.id]);
    }
    return undefined;
  },
  { urgentMs: RETRY_MS },
);
