/** Emmett's event store on Postgres: one event to a new stream, many at once. */
import { randomUUID } from 'node:crypto';
import type { Event } from '@event-driven-io/emmett';
import { getPostgreSQLEventStore } from '@event-driven-io/emmett-postgresql';
import pg from 'pg';
import { AT_ONCE, PAYLOAD } from '../payload.ts';
import { repeat, serveProgram } from '../program.ts';

type Noted = Event<'Noted', { text: string }>;

serveProgram(async ({ databaseUrl }: { databaseUrl: string }) => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 32 });
  const store = getPostgreSQLEventStore(databaseUrl, { connectionOptions: { pool } });
  await store.schema.migrate();
  return ({ seconds }: { seconds: number }) =>
    repeat(seconds, AT_ONCE, async () => {
      const event: Noted = { type: 'Noted', data: { text: PAYLOAD } };
      await store.appendToStream<Noted>(`note-${randomUUID()}`, [event], {
        expectedStreamVersion: 'STREAM_DOES_NOT_EXIST',
      });
    });
});
