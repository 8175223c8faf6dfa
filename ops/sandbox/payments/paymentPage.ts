/**
 * The page a payer is sent to. `GET /pay/:id` shows it; `POST /pay/:id` with `action=approve` or `action=decline`
 * finishes the payment in one step and sends the payer back. In a browser `action=pay` with a card comes first,
 * followed by the 3-D Secure question of some cards.
 */
import type Router from '@koa/router';
import type { Context } from 'koa';
import { toMinor } from '../../../domain/core/money.ts';
import { amountText } from '../../../domain/core/wording.ts';
import { type Html, html } from '../../../infra/html.ts';
import { contentSecurityPolicy, page } from '../core/page.ts';
import { DEFAULT_CARD, TEST_CARDS, type TestCard, testCard } from './cards.ts';
import type { PaymentService } from './paymentService.ts';
import { approve, backFrom, decline, isPending, type PaymentRecord, payByCard } from './payments.ts';

export const mountPaymentPage = (router: Router, service: PaymentService, merchant: string): void => {
  router.get('/pay/:id', (ctx) => {
    const record = service.payment(ctx.params.id);
    if (!record) return showUnknown(ctx);
    service.show(record);
    show(ctx, merchant, record);
  });

  router.post('/pay/:id', (ctx) => {
    const record = service.payment(ctx.params.id);
    if (!record) return showUnknown(ctx);
    const problem = isPending(record) ? act(service, record, formOf(ctx)) : undefined;
    const after = service.payment(record.object.id) ?? record;
    if (problem) return show(ctx, merchant, after, problem);
    // 303: the browser loads the next page, and a reload repeats nothing.
    ctx.status = 303;
    ctx.set('location', isPending(after) ? ctx.path : (backFrom(after) ?? ctx.path));
    ctx.set('cache-control', 'no-store');
  });
};

export const formOf = (ctx: Context): Record<string, unknown> => {
  const body: unknown = ctx.request.body;
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
};

/** Executes the form. Returns an error message for the payer, or undefined. */
const act = (service: PaymentService, record: PaymentRecord, form: Record<string, unknown>): string | undefined => {
  const at = service.now();
  switch (form.action) {
    case 'approve':
      service.apply(approve(record, at));
      return undefined;
    case 'decline':
      service.apply(decline(record));
      return undefined;
    case 'pay': {
      const card = cardOf(form, at);
      if (typeof card === 'string') return card;
      service.apply(payByCard(record, card, at));
      return undefined;
    }
    default:
      return 'The form must contain action=approve, action=decline or action=pay.';
  }
};

/** The card of a form, or an error message. */
export const cardOf = (form: Record<string, unknown>, at: string): TestCard | string => {
  const card = testCard(typeof form.card_number === 'string' ? form.card_number : '');
  if (!card) return 'Only the test cards below work here. Never type in a real one.';
  if (!isFuture(form.expiry, at)) return 'The expiry date must be the current or a later month, as MM/YY.';
  if (!/^\d{3,4}$/.test(typeof form.cvc === 'string' ? form.cvc : '')) return 'The security code has 3 or 4 digits.';
  return card;
};

const isFuture = (expiry: unknown, at: string): boolean => {
  const [, month, year] = /^(0[1-9]|1[0-2])\s*\/\s*(\d\d)$/.exec(typeof expiry === 'string' ? expiry.trim() : '') ?? [];
  return month !== undefined && `20${year}-${month}` >= at.slice(0, 7);
};

export const send = (ctx: Context, status: number, title: string, body: Html, ...redirectsTo: string[]): void => {
  ctx.status = status;
  ctx.type = 'html';
  ctx.set('content-security-policy', contentSecurityPolicy(...redirectsTo));
  ctx.body = page(title, body);
};

const showUnknown = (ctx: Context): void =>
  send(
    ctx,
    404,
    'No such payment',
    html`<section class="sheet"><h1>No such payment</h1><p>There is no payment at this address. Go back to the shop and start again.</p></section>`,
  );

const show = (ctx: Context, merchant: string, record: PaymentRecord, problem?: string): void => {
  const body = html`<section class="sheet">
${summary(merchant, record)}
${problem !== undefined && html`<p role="alert">${problem}</p>`}
${isPending(record) ? asks(record, merchant) : result(record, merchant)}
</section>`;
  const redirectsTo = [record.returnUrl, record.failUrl].filter((url) => url !== undefined);
  send(ctx, problem === undefined ? 200 : 422, `Pay ${merchant} – sandbox`, body, ...redirectsTo);
};

const price = ({ value, currency }: { value: string; currency: string }): string =>
  amountText('en', toMinor(Number(value), currency), currency);

const summary = (merchant: string, { object }: PaymentRecord): Html => html`<h1>${merchant}</h1>
<p class="amount">${price(object.amount)}</p>
${object.description !== undefined && html`<p>${object.description}</p>`}`;

const asks = (record: PaymentRecord, merchant: string): Html => {
  if (record.step === 'challenge') return challenge(record, merchant);
  switch (record.object.payment_method?.type) {
    case 'sbp':
      return otherMethod(record, 'Fast payment system', 'Your bank’s app would open here. The sandbox is the app.');
    case 'yoo_money':
      return otherMethod(record, 'Wallet', 'Your wallet would ask you here. The sandbox is the wallet.');
    default:
      return cardForm(record);
  }
};

const expiry = ({ confirmBy }: PaymentRecord): Html =>
  html`<p class="quiet">Pay by <time datetime="${confirmBy}">${confirmBy.slice(11, 16)} UTC</time>, then the payment expires.</p>`;

const cardForm = (record: PaymentRecord): Html =>
  html`${expiry(record)}
${askForCard(`Pay ${price(record.object.amount)}`)}`;

/** The fields of a card, with a button that sends `action=pay`, and the cards that can be entered. */
export const askForCard = (button: string): Html => html`<form method="post" autocomplete="off">
<label>Card number
<input name="card_number" value="${DEFAULT_CARD.number.replaceAll(/(\d{4})(?=\d)/g, '$1 ')}" inputmode="numeric" maxlength="23" required></label>
<div class="pair">
<label>Expiry (MM/YY)
<input name="expiry" value="12/40" inputmode="numeric" maxlength="7" required></label>
<label>Security code
<input name="cvc" value="123" inputmode="numeric" maxlength="4" required></label>
</div>
<button name="action" value="pay">${button}</button>
<button name="action" value="decline" class="second" formnovalidate>Decline</button>
</form>
<details><summary>Test cards</summary>
<table><thead><tr><th scope="col">Card</th><th scope="col">What happens</th></tr></thead><tbody>
${TEST_CARDS.map(
  (card) =>
    html`<tr><td><code>${card.number}</code><br><span class="quiet">${card.brand}</span></td><td>${card.decline?.reason ?? (card.challenge ? 'succeeds after 3-D Secure' : 'succeeds at once')}</td></tr>`,
)}
</tbody></table></details>`;

const challenge = ({ object, card }: PaymentRecord, merchant: string): Html => html`<h2>Your bank asks: is it you?</h2>
<p>3-D Secure: confirm the payment of ${price(object.amount)} to ${merchant} with the card ending in ${card?.number.slice(-4)}.</p>
${answers('Confirm', 'Reject')}`;

const otherMethod = (record: PaymentRecord, name: string, text: string): Html => html`${expiry(record)}
<h2>${name}</h2>
<p>${text}</p>
${answers(`Pay ${price(record.object.amount)}`, 'Decline')}`;

/** Two buttons that send `action=approve` and `action=decline`. */
export const answers = (yes: string, no: string): Html => html`<form method="post">
<button name="action" value="approve">${yes}</button>
<button name="action" value="decline" class="second">${no}</button>
</form>`;

const result = (record: PaymentRecord, merchant: string): Html => {
  const { object } = record;
  const returnUrl = backFrom(record);
  const failed = object.status === 'canceled';
  const text = { succeeded: 'Paid', waiting_for_capture: 'Reserved', canceled: 'Not paid', pending: 'Waiting' };
  const reason = object.cancellation_details?.reason.replaceAll('_', ' ');
  return html`<p class="status ${failed ? 'bad' : 'good'}" role="status">${text[object.status]}</p>
${reason !== undefined && html`<p>Reason: ${reason}</p>`}
${returnUrl !== undefined && html`<a class="button" href="${returnUrl}">Back to ${merchant}</a>`}`;
};
