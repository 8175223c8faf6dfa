/** Ending marketing e-mails from a link in one of them. */
import { Type } from '@sinclair/typebox';
import { personOfLink, UNSUBSCRIBE_PATH, unsubscribe } from '../../commands/mail/unsubscribe.ts';
import { html } from '../../infra/html.ts';
import { consentRecords } from '../../projections/consents/consentRecords.ts';
import { consents } from '../../projections/consents/consents.ts';
import { route } from '../http/route.ts';
import { Page, PageReply } from './pages.ts';

const Link = Type.Object({ token: Type.String({ minLength: 1, maxLength: 200 }) });

const ask = route(`GET ${UNSUBSCRIBE_PATH}`, {
  id: 'showUnsubscribe',
  access: 'public',
  openQuery: 'Mail programs add fields to links, and a link that ends e-mails must work.',
  summary: 'Show the page that ends marketing e-mails',
  description: 'Changes nothing, because mail programs open links to check them. Its button sends the POST.',
  query: Link,
  reply: PageReply,
  errors: ['not_found'],
  handle: ({ query }, app) => {
    personOfLink(app, query.token);
    return new Page(
      'Unsubscribe? · Отписаться?',
      html`<p>No more news and offers by e-mail. E-mails about your bookings and your account stay.</p>
<p lang="ru">Больше никаких новостей и предложений. Письма о бронированиях и учётной записи останутся.</p>
<form method="post"><button name="List-Unsubscribe" value="One-Click">Unsubscribe · Отписаться</button></form>`,
    );
  },
});

const act = route(`POST ${UNSUBSCRIBE_PATH}`, {
  id: 'unsubscribe',
  ignoresKey: 'a repeat of a link changes nothing more',
  access: 'public',
  openQuery: 'Mail programs add fields to links, and a link that ends e-mails must work.',
  summary: 'End marketing e-mails',
  description:
    'One click, as RFC 8058 describes it: mail programs send it too. Withdraws the consent to marketing of the person whom the link names. The body is not read.',
  query: Link,
  reply: PageReply,
  errors: ['not_found'],
  projections: [consents, consentRecords],
  handle: async ({ query, context }, app) => {
    await unsubscribe(app, context, query.token);
    return new Page(
      'Unsubscribed · Вы отписаны',
      html`<p>You get no more news and offers. You can allow them again in the app.</p>
<p lang="ru">Новостей и предложений больше не будет. Вернуть их можно в приложении.</p>`,
    );
  },
});

export const unsubscribeRoutes = [ask, act];
