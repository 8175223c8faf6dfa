/** The daily look at all payments: what is asked, what is found, and that a run ends whatever happens in between. */

import { randomUUID } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import { reconcileNow } from '../../commands/payments/reconciliation.ts';
import type { ReconciliationEvent } from '../../domain/payments/reconciliation.ts';
import { createStage, type Stage } from '../bookings/stage.ts';
import { contextOf } from '../kit/context.ts';
import { freshStores } from '../kit/stores.ts';
import { until } from '../kit/until.ts';

let stage: Stage;
beforeEach(async () => {
  stage = await createStage(await freshStores(), { units: 20 });
});

/** A booking whose payment has begun. */
const paying = async () => {
  const userId = randomUUID();
  const { bookingId } = await stage.book(userId);
  const { paymentId } = await stage.pay(bookingId, userId);
  return { bookingId, paymentId };
};
const eventsOf = async (runId: string) => {
  const stored = await stage.node.store.read(`reconciliation-${runId}`, { from: 0n, max: 100 });
  return stage.node.codec.decode<ReconciliationEvent>(stored);
};
const finished = async (runId: string) => {
  await until(async () => (await eventsOf(runId)).some(({ type }) => type === 'ReconciliationFinished') || undefined);
  return (await eventsOf(runId)).map(({ type, data }) => ({ type, data }));
};
const watched = async () => (await stage.node.pool.query('select 1 from ops.watched_payments')).rowCount;
const run = async () => finished(await reconcileNow(stage.node, contextOf(randomUUID(), 'admin')));

it('applies what was missed, and reports what still differs', async () => {
  stage.work();
  const [lost, wrong, quiet] = [await paying(), await paying(), await paying()];
  for (let n = 0; n < 10; n += 1) await paying();
  await until(async () => (await watched()) === 13 || undefined);
  stage.provider.says(lost.paymentId, 'succeeded');
  stage.provider.says(wrong.paymentId, 'succeeded', { amountMinor: 1 });

  const trigger = 'requested';
  expect(await run()).toEqual([
    { type: 'ReconciliationStarted', data: { trigger } },
    {
      type: 'DifferenceFound',
      data: {
        paymentId: wrong.paymentId,
        provider: 'fake',
        kind: 'status',
        ours: 'requires_action',
        theirs: 'succeeded',
      },
    },
    {
      type: 'DifferenceFound',
      data: { paymentId: wrong.paymentId, provider: 'fake', kind: 'amount', ours: '20000', theirs: '1' },
    },
    { type: 'ReconciliationFinished', data: { checked: 13, unanswered: 0, unansweredIds: [] } },
  ]);
  await stage.untilBooking(lost.bookingId, 'paid');
  expect((await stage.payment(quiet.paymentId)).status).toBe('requires_action');

  stage.provider.away = true;
  const away = { checked: 13, unanswered: 13, unansweredIds: expect.arrayContaining([lost.paymentId]) };
  expect((await run()).at(-1)).toMatchObject({ data: away });
  // They are deleted once the end is recorded.
  await until(async () => (await stage.node.pool.query('select 1 from ops.reconciliation_checks')).rowCount === 0);
});

it('comes once a day, however many workers there are', async () => {
  stage.work();
  stage.work(stage.newNode());
  await paying();
  await paying();
  await until(async () => (await watched()) === 2 || undefined);
  const daily = async () =>
    (await stage.node.pool.query(`select due_at from ops.jobs where kind = 'reconciliation_daily'`)).rows;
  // The payments are noted before the job is set.
  await until(async () => (await daily()).length > 0 || undefined);
  await stage.node.pool.query(`update ops.jobs set run_at = now() where kind = 'reconciliation_daily'`);
  await stage.node.pool.query(`notify jobs`);
  /** Set anew: until then it is to run at another time than it was set for. */
  const ran = async () =>
    (
      await stage.node.pool.query<{ due_at: string }>(
        `select due_at from ops.jobs where kind = 'reconciliation_daily' and attempts = 0 and run_at = due_at`,
      )
    ).rows[0];
  expect(new Date((await until(ran)).due_at).toISOString()).toMatch(/T03:00:00.000Z$/);
  expect(await daily()).toHaveLength(1);
});
