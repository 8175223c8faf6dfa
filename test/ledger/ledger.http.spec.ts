/** Statements, payouts, ledger, funnel and reconciliation over HTTP. */
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { caller, once, signIn } from '../kit/http.ts';
import { day } from '../kit/stays.ts';
import { until } from '../kit/until.ts';
import { sharedWorld } from '../kit/world.ts';

const { demo, runtime } = sharedWorld();
const call = caller(runtime.api);
const tokens = { tourist: '', hotelier: '', admin: '' };
const as = (who: keyof typeof tokens) => ({ token: tokens[who] });
const get = async (who: keyof typeof tokens, path: string) => {
  const { status, body } = await call(`GET /api/v1${path}`, as(who));
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
};
const post = (who: keyof typeof tokens, path: string, body: object = {}) =>
  call(`POST /api/v1${path}`, { ...as(who), headers: once(), body });
const created = async (who: keyof typeof tokens, path: string, body: object): Promise<string> => {
  const reply = await post(who, path, body);
  expect(reply.status, JSON.stringify(reply.body)).toBe(201);
  return reply.body.id;
};

/** A stay that was paid for, and given up when nothing comes back. */
const earned = async () => {
  const hotelId = await created('hotelier', '/hotels', {
    name: 'Cedar House',
    city: 'Testville',
    address: 'Main street 2',
    stars: 3,
    description: '',
    amenities: [],
    images: [],
    location: { latitude: 43.6, longitude: 40.2 },
    cancellation_policy: 'non_refundable',
    charges: [],
    timezone: 'Europe/Moscow',
    currency: 'RUB',
  });
  const room = {
    name: 'Loft',
    description: '',
    capacity: 2,
    units: 1,
    price_per_night: 80.5,
    amenities: [],
    images: [],
  };
  const item_id = await created('hotelier', `/hotels/${hotelId}/rooms`, room);
  const ranges = [{ from: day(0), to: day(60), price: 80.5 }];
  await call(`PUT /api/v1/rooms/${item_id}/nights`, { ...as('hotelier'), body: { ranges } });
  const stay = { type: 'hotel', item_id, check_in: day(20), check_out: day(22), guests: 2 };
  const bookingId = await created('tourist', '/bookings/create', stay);
  const { body: payment } = await post('tourist', '/payments/process', { booking_id: bookingId, method: 'card' });
  await fetch(payment.redirect_url, {
    method: 'POST',
    body: new URLSearchParams({ action: 'approve' }),
    redirect: 'manual',
  });
  const { commission } = await until(async () => {
    const booking = await get('hotelier', `/bookings/${bookingId}`);
    return booking.status === 'paid' && booking;
  });
  expect((await post('tourist', `/bookings/${bookingId}/cancel`)).body.status).toBe('cancelled');
  // Other specs look for rooms of the seller of the demo.
  expect((await call(`DELETE /api/v1/hotels/${hotelId}`, as('hotelier'))).status).toBe(204);
  return { bookingId, paymentId: payment.payment_id as string, share: commission.provider_minor as number };
};

/** A seller of whom no other spec knows: theirs are all entries of the statement, and the balance is still until we act. */
let owner = '';
let deal: Awaited<ReturnType<typeof earned>>;
beforeAll(async () => {
  for (const who of ['tourist', 'admin'] as const) tokens[who] = await signIn(call, demo, who);
  const seller = { email: `${randomUUID()}@example.test`, password: 'an owl in a larch' };
  owner = await created('admin', '/admin/accounts', { role: 'hotelier', ...seller });
  const login = { identifier: seller.email, password: seller.password };
  tokens.hotelier = (await call('POST /auth/login', { body: login })).body.access_token;
  deal = await earned();
});

it('shows an owner every entry of the statement', async () => {
  const lines = () => get('hotelier', '/provider/statement?currency=RUB&per_page=100');
  const mine = (statement: { entries: { data: { item_id: string }[] } }) =>
    statement.entries.data.filter(({ item_id }) => item_id === deal.bookingId);
  const statement = await until(async () => {
    const found = await lines();
    return mine(found).length === 3 && found;
  });
  expect(mine(statement)).toMatchObject([
    { type: 'PaymentSucceeded', account: `held:${owner}`, amount_minor: deal.share, payment_id: deal.paymentId },
    { type: 'ShareReleased', account: `available:${owner}`, amount: deal.share / 100 },
    { type: 'ShareReleased', account: `held:${owner}`, amount_minor: -deal.share },
  ]);
  expect(statement.closing_minor).toBe(statement.entries.data.at(-1).balance_minor);
  const asAdmin = await get('admin', `/admin/ledger/owners/${owner}/statement?currency=RUB&per_page=100`);
  expect(mine(asAdmin)).toEqual(mine(statement));
  expect((await call('GET /api/v1/provider/statement', as('hotelier'))).status).toBe(422);
});

it('shows everybody only what is theirs, also those who do not sell or no longer sell', async () => {
  expect(await get('tourist', '/provider/balance')).toEqual({ balances: [] });
  expect(await get('tourist', '/provider/statement?currency=RUB')).toMatchObject({ entries: { total: 0 } });
  expect(await get('tourist', '/provider/payouts')).toMatchObject({ total: 0 });
});

it('pays out once and never more than is available', async () => {
  const balance = async () => (await get('hotelier', '/provider/balance')).balances[0];
  const before = await balance();
  expect(before.available_minor).toBeGreaterThanOrEqual(deal.share);
  const ask = (amount: number) => post('admin', '/admin/payouts', { owner_id: owner, currency: 'RUB', amount });
  expect((await ask(before.available + 0.01)).body).toMatchObject({
    status: 409,
    code: 'balance_too_low',
    available: before.available,
  });
  expect((await post('admin', '/admin/payouts', { owner_id: owner, currency: 'ZZZ' })).status).toBe(422);
  const asked = await ask(10.5);
  expect(asked.body, JSON.stringify(asked.body)).toMatchObject({ status: 'requested', amount_minor: 1_050 });
  const { id } = asked.body;
  expect(await balance()).toMatchObject({ available_minor: before.available_minor - 1_050, in_payout: 10.5 });
  const second = await signIn(call, demo, 'admin2');
  const paid = (token: string, reference: string) =>
    call(`POST /api/v1/admin/payouts/${id}/paid`, { token, headers: once(), body: { reference } });
  // Whoever asked for it does not record it, nor does an admin whom they have just made.
  expect((await paid(tokens.admin, 'PP-7')).status).toBeGreaterThanOrEqual(403);
  const friend = { role: 'admin', email: `${randomUUID()}@friend.test`, password: 'third larch owl' };
  expect((await post('admin', '/admin/accounts', friend)).status).toBe(201);
  const login = { identifier: friend.email, password: friend.password };
  const made = await paid((await call('POST /auth/login', { body: login })).body.access_token, 'PP-7');
  expect(made.body).toMatchObject({ status: 403, code: 'forbidden' });
  expect((await paid(second, 'PP-7')).body).toEqual({ id, status: 'paid' });
  expect((await paid(second, 'PP-8')).body).toMatchObject({ status: 409, code: 'conflict', recorded: 'PP-7' });
  expect((await post('admin', `/admin/payouts/${id}/failed`, { reason: 'late' })).status).toBe(409);
  expect((await post('admin', `/admin/payouts/${randomUUID()}/paid`, { reference: 'PP-8' })).status).toBe(404);
  expect(await balance()).toMatchObject({ in_payout: 0, paid_out_minor: before.paid_out_minor + 1_050 });
  const { data } = await get('hotelier', '/provider/payouts?status=paid');
  expect(data[0]).toMatchObject({ id, amount: 10.5, reference: 'PP-7' });
  expect((await get('admin', `/admin/payouts?owner_id=${owner}`)).data[0]).toEqual(data[0]);
});

it('has ledger balances that add up to zero', async () => {
  const { sums, accounts } = await get('admin', '/admin/ledger/balances');
  for (const { sum_minor } of sums) expect(sum_minor).toBe(0);
  expect(accounts).toContainEqual(expect.objectContaining({ account: 'bank', currency: 'RUB' }));
  const { data, total } = await get('admin', `/admin/ledger/entries?payment_id=${deal.paymentId}&per_page=2`);
  expect([data.length, total]).toEqual([2, 5]);
  const { bookings, paid_out } = await get('admin', '/admin/ledger/funnel');
  const hotel = bookings.find(
    (each: { type: string; currency: string }) => each.type === 'hotel' && each.currency === 'RUB',
  );
  expect(hotel.created.count).toBeGreaterThanOrEqual(hotel.captured.count);
  expect(hotel.released.amount_minor).toBeGreaterThanOrEqual(deal.share);
  expect(paid_out[0].amount_minor).toBeGreaterThanOrEqual(1_050);
});

it('corrects the ledger only when a second admin approves', async () => {
  const second = await signIn(call, demo, 'admin2');
  const decide = (token: string, id: string, verdict: string, body: object = {}) =>
    call(`POST /api/v1/admin/ledger/adjustments/${id}/${verdict}`, { token, headers: once(), body });
  const reason = 'the fee was charged twice';
  const wanted = { debit: 'fees', credit: 'commission', amount: 1.5, currency: 'RUB', reason };
  const fees = async (): Promise<number> => {
    const { accounts } = await get('admin', '/admin/ledger/balances');
    const isFees = (each: { account: string; currency: string }) => each.account === 'fees' && each.currency === 'RUB';
    return accounts.find(isFees)?.balance_minor ?? 0;
  };
  const before = await fees();
  const id = await created('admin', '/admin/ledger/corrections', wanted);
  const own = await decide(tokens.admin, id, 'approve');
  expect([own.status, own.body.code]).toEqual([403, 'forbidden']);
  const approved = await decide(second, id, 'approve');
  expect(approved.body, JSON.stringify(approved.body)).toEqual({ id, status: 'approved' });
  const [row] = (await get('admin', '/admin/ledger/adjustments?status=approved')).data;
  expect(row).toMatchObject({ id, kind: 'correction', amount: 1.5, debit: 'fees', credit: 'commission', reason });
  const { sums } = await get('admin', '/admin/ledger/balances');
  for (const { sum_minor } of sums) expect(sum_minor).toBe(0);
  expect(await fees()).toBe(before + 150);

  const mistaken = await created('admin', '/admin/ledger/chargebacks', { payment_id: deal.paymentId, reason });
  const withdrawn = await decide(tokens.admin, mistaken, 'reject', { reason: 'another payment was meant' });
  expect(withdrawn.body.status).toBe('rejected');
  expect((await decide(second, mistaken, 'approve')).status).toBe(409);
  const held = { ...wanted, debit: `held:${owner}` };
  expect((await post('admin', '/admin/ledger/corrections', held)).status).toBe(422);
  const settlement = { provider: 'nobody', currency: 'RUB', amount: 1, reference: 'R-1' };
  expect((await post('admin', '/admin/ledger/settlements', settlement)).status).toBe(422);
});

it('finds no differences with the providers', async () => {
  const started = await post('admin', '/admin/reconciliations');
  expect(started.status, JSON.stringify(started.body)).toBe(202);
  const report = await until(async () => {
    const found = await get('admin', `/admin/reconciliations/${started.body.id}`);
    return found.status === 'finished' && found;
  });
  expect(report.checked).toBeGreaterThan(0);
  expect(report).toMatchObject({ trigger: 'requested', unanswered: 0 });
  expect(report.found.data.filter((each: { payment_id: string }) => each.payment_id === deal.paymentId)).toEqual([]);
  expect((await get('admin', '/admin/reconciliations')).data[0].id).toBe(started.body.id);
  expect((await call(`GET /api/v1/admin/reconciliations/${randomUUID()}`, as('admin'))).status).toBe(404);
});
