/** Tells those whose passes a closure concerns. They are found by a table of purchases, a page at a time. */
import { addDays } from '../../domain/core/dates.ts';
import type { Recorded } from '../../domain/core/decider.ts';
import { addMs } from '../../domain/core/instants.ts';
import type { EventOf } from '../../domain/modules.ts';
import { MAX_CLOSED_AT_ONCE } from '../../domain/passes/closures.ts';
import type { OpenPurchase } from '../../domain/purchases/purchase.ts';
import { migrations } from '../../infra/migrations.ts';
import type { Pool, Queryable } from '../../infra/postgres.ts';
import type { CoreDeps } from '../core/deps.ts';
import { defineJob, type PolicyContext } from '../core/jobs.ts';
import { setCue } from '../core/notification.ts';

export const passPurchaseMigrations = migrations('passes', {
  '0001_pass_purchases': `
    create table ops.pass_purchases (
      purchase_id uuid primary key,
      -- as it was sold
      valid_from date not null,
      valid_to date not null
    );
    create index pass_purchases_valid_to on ops.pass_purchases (valid_to);
  `,
  personalData: {
    'ops.pass_purchases': { nothing: 'ids of purchases, and the dates on which their passes are valid' },
  },
});

/** Closures can move the end of a pass by this many dates, as far as anybody is told of a further closure. */
const MOVED_DAYS = 2 * MAX_CLOSED_AT_ONCE;

/** Safe to repeat. */
export const rememberPurchase = async (
  db: Queryable,
  purchaseId: string,
  { validFrom, validTo }: Pick<OpenPurchase, 'validFrom' | 'validTo'>,
): Promise<void> => {
  await db.query(
    'insert into ops.pass_purchases (purchase_id, valid_from, valid_to) values ($1, $2, $3) on conflict do nothing',
    [purchaseId, validFrom, validTo],
  );
};

export const prunePurchases = async (pool: Pool): Promise<void> => {
  await pool.query('delete from ops.pass_purchases where valid_to < current_date - $1::int', [MOVED_DAYS]);
};

/** The name of the notification: `notifications.ts` declares it. Stored: never renamed. */
export const DAYS_GIVEN_BACK = 'pass_days_given_back';

const PAGE = 200;

interface Telling {
  readonly from: string;
  readonly to: string;
  readonly declaredAt: string;
  /** The last purchase of the page before. */
  readonly after: string | null;
}

/** After a crash it goes on with the page that it was at. The id is that of the event. */
export const closureTelling = defineJob<Telling>('pass_closure_telling', async ({ id, data }, { deps, context }) => {
  const { from, to, declaredAt, after } = data;
  const { rows } = await deps.pool.query<{ purchase_id: string }>(
    `select purchase_id from ops.pass_purchases
     where valid_from <= $1 and valid_to >= $2 and ($3::uuid is null or purchase_id > $3::uuid)
     order by purchase_id limit $4`,
    [to, addDays(from, -MOVED_DAYS), after, PAGE],
  );
  for (const { purchase_id: purchaseId } of rows) {
    const cue = { name: DAYS_GIVEN_BACK, key: `${id}:${purchaseId}`, about: { purchaseId, declaredAt } };
    await setCue(deps.jobs, context, { ...cue, eventAt: declaredAt, dueAt: context.at });
  }
  const last = rows.at(-1);
  if (rows.length === PAGE && last) {
    const dueAt = addMs(context.at, 1);
    await closureTelling.schedule(deps.jobs, context, { id, dueAt, data: { ...data, after: last.purchase_id } });
  }
  return undefined;
});

export const tellOfClosure = (
  { id, meta, data: { dates, declaredAt } }: Recorded<EventOf<'PassDaysGivenBack'>>,
  { deps }: PolicyContext<CoreDeps>,
): Promise<void> => {
  const [from = '', to = from] = [dates[0], dates.at(-1)];
  return closureTelling.schedule(deps.jobs, meta, {
    id,
    dueAt: declaredAt,
    data: { from, to, declaredAt, after: null },
  });
};
