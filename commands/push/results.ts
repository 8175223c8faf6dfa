/** What became of a broadcast, device by device. */
import { type Page, type Paging, pageOfRows } from '../../infra/paging.ts';
import type { Queryable } from '../../infra/postgres.ts';
import type { Outcome } from './queue.ts';

export interface DeliveryRow {
  readonly device_id: string;
  readonly user_id: string;
  readonly service: string;
  readonly outcome: Outcome | 'cancelled' | 'waiting';
  readonly reason: string | null;
  readonly attempts: number;
  readonly settled_at: string | null;
}

/** By device. @param outcome only these */
export const listDeliveries = (
  pool: Queryable,
  messageId: string,
  { outcome = null, ...paging }: Paging & { readonly outcome?: string | null | undefined },
): Promise<Page<DeliveryRow>> => {
  const columns =
    "device_id, person_id as user_id, service, coalesce(outcome, 'waiting') as outcome, reason, attempts, settled_at";
  const from = "ops.push_deliveries where message_id = $1 and ($2::text is null or coalesce(outcome, 'waiting') = $2)";
  return pageOfRows(pool, { columns, from, orderBy: 'device_id', values: [messageId, outcome] }, paging);
};

/** What became of messages to one person, by their ids: one text for all devices. */
export const pushOutcomes = async (
  db: Queryable,
  messageIds: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const { rows } = await db.query<{ message_id: string; outcome: string }>(
    `select message_id, string_agg(service || ' ' || coalesce(outcome, 'waiting'), ', ' order by service, device_id) as outcome
     from ops.push_deliveries where message_id = any ($1) group by message_id`,
    [messageIds],
  );
  return new Map(rows.map(({ message_id, outcome }) => [message_id, outcome]));
};
