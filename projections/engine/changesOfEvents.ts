/** The changes that events have led to, for whoever looks into a request: what was streamed, and on which channels. */
import type { Pool } from '../../infra/postgres.ts';

export interface ChangeOfEvents {
  readonly at: string;
  /** Says who may listen to it: `realtime:user_<account>`. */
  readonly channel: string;
  readonly offset: number;
  readonly type: string;
}

interface Happened {
  /** RFC 3339. */
  readonly at: string;
  /** `<category>-<id>`. */
  readonly stream: string;
  readonly data?: unknown;
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/**
 * A change has the time of the last event that it shows, to the millisecond, and names what the event is about: nothing more
 * has to be stored with each. Changes are kept for a day.
 */
export const changesOfEvents = async (pool: Pool, events: readonly Happened[]): Promise<ChangeOfEvents[]> => {
  const names = [
    ...new Set(events.flatMap(({ stream, data }) => `${stream} ${JSON.stringify(data)}`.match(UUID) ?? [])),
  ];
  const { rows } = await pool.query<ChangeOfEvents>(
    `select at, channel, "offset", type from read.changes
     where at = any ($1::timestamptz[])
       and exists (select from unnest($2::text[]) as name where strpos(data, name) > 0 or strpos(channel, name) > 0)
     order by id`,
    [[...new Set(events.map(({ at }) => at))], names],
  );
  return rows;
};
