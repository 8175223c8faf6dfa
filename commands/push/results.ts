/** What became of a broadcast, device by device. */
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
export const listDeliveries = async (
  pool: Queryable,
  messageId: string,
  {
    outcome,
    page,
    perPage,
  }: { readonly outcome?: string | undefined; readonly page: number; readonly perPage: number },
): Promise<{ readonly rows: DeliveryRow[]; readonly total: number }> => {
  const where = `message_id = $1 and ($2::text is null or coalesce(outcome, 'waiting') = $2)`;
  const { rows } = await pool.query<DeliveryRow>(
    `select device_id, person_id as user_id, service, coalesce(outcome, 'waiting') as outcome, reason, attempts, settled_at
     from ops.push_deliveries where ${where} order by device_id limit $3 offset $4`,
    [messageId, outcome ?? null, perPage, (page - 1) * perPage],
  );
  const count = await pool.query<{ total: number }>(
    `select count(*) as total from ops.push_deliveries where ${where}`,
    [messageId, outcome ?? null],
  );
  return { rows, total: count.rows[0]?.total ?? 0 };
};
