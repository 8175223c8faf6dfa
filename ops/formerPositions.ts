/** Positions of another log in the tables: an event has another position in each log that contains it. */
import type { Position } from '../domain/core/decider.ts';
import type { PoolClient } from '../infra/postgres.ts';

/**
 * Replaces those that are not checkpoints. The events of finished erasures are not looked up: whatever shows the last event
 * shows them, too.
 * @param head of the log that has all events of the other one
 */
export const replaceFormerPositions = async (client: PoolClient, head: Position | null): Promise<void> => {
  await client.query('update ops.idempotency_keys set event_position = null');
  // Release 0.1.0 has no certificates.
  const { rows } = await client.query<{ there: boolean }>(
    `select to_regclass('ops.erasure_certificates') is not null as there`,
  );
  if (!rows[0]?.there) return;
  await client.query('update ops.erasure_certificates set commit = $1, prepare = $2 where commit is not null', [
    head?.commit.toString() ?? null,
    head?.prepare.toString() ?? null,
  ]);
};
