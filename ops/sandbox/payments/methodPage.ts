/**
 * The page on which a person saves a card or an account. `GET /link/:id` shows it; `POST /link/:id` takes the forms of
 * the payment page: `action=approve` or `decline` in one step, or `action=pay` with a card and then the bank's question.
 */
import type Router from '@koa/router';
import type { Context } from 'koa';
import { type Html, html } from '../../../infra/html.ts';
import type { MethodService } from './methodService.ts';
import { confirm, isOpen, type MethodRecord, refuse, saveCard } from './methods.ts';
import { answers, askForCard, cardOf, formOf, send } from './paymentPage.ts';

export const mountMethodPage = (router: Router, service: MethodService, merchant: string): void => {
  router.get('/link/:id', (ctx) => {
    const record = service.find(ctx.params.id);
    if (record) show(ctx, merchant, record);
    else showUnknown(ctx);
  });

  router.post('/link/:id', (ctx) => {
    const record = service.find(ctx.params.id);
    if (!record) return showUnknown(ctx);
    const problem = isOpen(record) ? act(service, record, formOf(ctx)) : undefined;
    const after = service.find(record.object.id) ?? record;
    if (problem) return show(ctx, merchant, after, problem);
    ctx.status = 303;
    ctx.set('location', isOpen(after) ? ctx.path : after.returnUrl);
    ctx.set('cache-control', 'no-store');
  });
};

/** Executes the form. Returns an error message for the person, or undefined. */
const act = (service: MethodService, record: MethodRecord, form: Record<string, unknown>): string | undefined => {
  switch (form.action) {
    case 'approve':
      service.apply(confirm(record));
      return undefined;
    case 'decline':
      service.apply(refuse(record));
      return undefined;
    case 'pay': {
      const card = cardOf(form, service.now());
      if (typeof card === 'string') return card;
      service.apply(saveCard(record, card));
      return undefined;
    }
    default:
      return 'The form must contain action=approve, action=decline or action=pay.';
  }
};

const showUnknown = (ctx: Context): void =>
  send(
    ctx,
    404,
    'Nothing to save',
    html`<section class="sheet"><h1>Nothing to save</h1><p>There is nothing to save at this address. Go back to the shop and start again.</p></section>`,
  );

const show = (ctx: Context, merchant: string, record: MethodRecord, problem?: string): void => {
  const body = html`<section class="sheet">
<h1>${merchant}</h1>
<h2>Save it for later payments</h2>
<p class="quiet">Nothing is charged now.</p>
${problem !== undefined && html`<p role="alert">${problem}</p>`}
${isOpen(record) ? asks(record, merchant) : result(record, merchant)}
</section>`;
  send(ctx, problem === undefined ? 200 : 422, `Save for ${merchant} – sandbox`, body, record.returnUrl);
};

const asks = ({ step, card, object }: MethodRecord, merchant: string): Html => {
  if (step === 'challenge')
    return html`<h2>Your bank asks: is it you?</h2>
<p>3-D Secure: let ${merchant} charge the card ending in ${card?.number.slice(-4)} later on.</p>
${answers('Confirm', 'Reject')}`;
  if (object.type === 'bank_card') return askForCard('Save the card');
  return html`<p>Your bank’s app would open here. The sandbox is the app.</p>
${answers('Bind the account', 'Decline')}`;
};

const result = ({ object, returnUrl }: MethodRecord, merchant: string): Html => {
  const saved = object.status === 'active';
  return html`<p class="status ${saved ? 'good' : 'bad'}" role="status">${saved ? 'Saved' : 'Not saved'}</p>
<a class="button" href="${returnUrl}">Back to ${merchant}</a>`;
};
