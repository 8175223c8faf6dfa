/**
 * The open sessions of each account, which the log cannot be asked for. A row is there from the policy's first event of the
 * session to its last one.
 */
import { trackingPurpose } from '../../domain/tracking/index.ts';
import { migrations } from '../../infra/migrations.ts';
import type { Queryable } from '../../infra/postgres.ts';

export const openSessionMigrations = migrations('tracking', {
  '0002_open_sessions': `
    create table ops.track_open_sessions (
      session_id uuid primary key,
      account_id uuid not null
    );
    create index track_open_sessions_account on ops.track_open_sessions (account_id);
  `,
  personalData: {
    'ops.track_open_sessions': {
      whose: 'account_id',
      exported: [],
      erased: 'deleted',
      why: trackingPurpose,
      retention: { until: 'the session ends' },
      seenBy: ['nobody'],
    },
  },
});

export const rememberOpen = async (db: Queryable, sessionId: string, accountId: string): Promise<void> => {
  await db.query(
    'insert into ops.track_open_sessions (session_id, account_id) values ($1, $2) on conflict do nothing',
    [sessionId, accountId],
  );
};

export const forgetOpen = async (db: Queryable, sessionId: string): Promise<void> => {
  await db.query('delete from ops.track_open_sessions where session_id = $1', [sessionId]);
};

export const openSessionsOf = async (db: Queryable, accountId: string): Promise<string[]> => {
  const { rows } = await db.query<{ session_id: string }>(
    'select session_id from ops.track_open_sessions where account_id = $1',
    [accountId],
  );
  return rows.map(({ session_id }) => session_id);
};
