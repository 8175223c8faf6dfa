/**
 * Requests that the log could not take. They are kept in Postgres, encrypted, until it can: with the ids and the time of
 * the request, so that one that was recorded after all is not recorded twice.
 */

import { addMs } from '../../domain/core/instants.ts';
import { ERASED } from '../../domain/core/schema.ts';
import { type SosReport, sos } from '../../domain/sos/incident.ts';
import { sosPurpose } from '../../domain/sos/purpose.ts';
import { decryptText, encryptText } from '../../eventstore/vault.ts';
import { migrations } from '../../infra/migrations.ts';
import { inTransaction } from '../../infra/postgres.ts';
import type { CommandContext } from '../core/handle.ts';
import { defineJob } from '../core/jobs.ts';
import type { SosDeps } from './deps.ts';

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
  // Shown once it is recorded.
  holds: {
    'ops.sos_inbox': {
      person: 'account_id',
      exported: ['at'],
      erased: 'deleted',
      why: sosPurpose,
      kept: { until: 'the log has taken it' },
      seenBy: ['nobody'],
    },
  },
});

const RETRY_MS = 5_000;
const contextFor = (incidentId: string): string => `sos inbox ${incidentId}`;

interface Kept {
  readonly context: CommandContext;
  readonly report: SosReport;
}

/** Keeps a request until the log can take it. @throws when the database is away, too */
export const keepRequest = async (
  { pool, vault }: Pick<SosDeps, 'pool' | 'vault'>,
  { onSettled, isFirstAttempt, ...context }: CommandContext,
  {
    incidentId,
    personId,
    report,
  }: { readonly incidentId: string; readonly personId: string; readonly report: SosReport },
): Promise<void> => {
  const kept: Kept = { context: { ...context, ip: null }, report };
  const request = encryptText(await vault.keyToWrite(personId), JSON.stringify(kept), contextFor(incidentId));
  const dueAt = addMs(context.at, RETRY_MS);
  // Together: nothing would read a request without its job.
  await inTransaction(pool, (client) =>
    Promise.all([
      client.query(
        'insert into ops.sos_inbox (id, account_id, at, request) values ($1, $2, $3, $4) on conflict (id) do nothing',
        [incidentId, personId, context.at, request],
      ),
      sosInbox.schedule(client, context, { id: incidentId, dueAt, data: {} }),
    ]),
  );
};

interface Row {
  readonly account_id: string;
  readonly request: string;
}

/** The job's id is the incident's. It never gives up: an alarm that cannot be recorded is tried again every few seconds. */
export const sosInbox = defineJob<object, SosDeps>(
  'sos_inbox',
  async ({ id }, { deps }) => {
    const { rows } = await deps.pool.query<Row>('select account_id, request from ops.sos_inbox where id = $1', [id]);
    const [row] = rows;
    if (!row) return undefined;
    const key = (await deps.vault.keysToRead([row.account_id])).get(row.account_id);
    const text = key === undefined ? ERASED : decryptText(key, row.request, contextFor(id));
    if (text !== ERASED) {
      const { context: asked, report } = JSON.parse(text) as Kept;
      const command = { type: 'RequestSos', incidentId: id, at: asked.at, ...report } as const;
      await deps.aggregates.handle(sos, row.account_id, command, asked);
    }
    await deps.pool.query('delete from ops.sos_inbox where id = $1', [id]);
    return undefined;
  },
  { urgentMs: RETRY_MS },
);
