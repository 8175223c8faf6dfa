/** E-mails and addresses that the mail server refused, for admins. */
import { Type } from '@sinclair/typebox';
import { clearUndeliverable, listUndeliverable, undeliverableCauses } from '../../commands/mail/addresses.ts';
import { sendRefusedAgain } from '../../commands/mail/sendAgain.ts';
import { Instant, Nullable, OneOf, Uuid } from '../../domain/core/schema.ts';
import { ListOf, paged, pagingQuery } from '../http/paging.ts';
import { NO_CONTENT, route } from '../http/route.ts';

const Undeliverable = Type.Object(
  {
    account_id: Uuid,
    mail_id: {
      ...Nullable(Uuid),
      description: 'The e-mail that was refused and is kept; null: it is the address that gets no e-mails.',
    },
    cause: OneOf(undeliverableCauses, {
      description:
        'Of an address: `refused` by the mail server, because there is no such mailbox, `bounced` later, or `complained`: its reader called an e-mail spam. Of an e-mail: `unsupported`: the server cannot send to such an address (SMTPUTF8), `full`: the mailbox takes nothing more, `blocked`: the server does not want the e-mail, or none of this system.',
    }),
    code: {
      ...Nullable(Type.Integer()),
      description: 'The reply code of the mail server; null where it is not known.',
    },
    reply: {
      ...Nullable(Type.String()),
      description: 'The words of the mail server about an e-mail, with `<address>` for every address in them.',
    },
    at: Instant,
  },
  { $id: 'UndeliverableMail' },
);

const list = route('GET /api/v1/admin/mail/undeliverable', {
  id: 'listUndeliverableMail',
  access: 'admin',
  harm: { none: 'shows ids of accounts, no addresses' },
  summary: 'List addresses that get no e-mails, and e-mails that were refused',
  description:
    'Newest first. Nothing is sent to a refused address until the account has another one, or it is cleared. An e-mail that the mail server refused for a reason of its own is kept until it is sent again, for 14 days, or as long as it is of use, if that is less than half a day (codes).',
  query: Type.Object(pagingQuery),
  reply: ListOf(Undeliverable),
  handle: ({ query }, app) => paged(query, (paging) => listUndeliverable(app, paging)),
});

const sendAgain = route('POST /api/v1/admin/mail/undeliverable/send-again', {
  id: 'sendRefusedMailAgain',
  access: 'admin',
  harm: { none: 'sends e-mails that their receivers were to get anyway' },
  summary: 'Send refused e-mails again',
  description:
    'All that are kept, or those of one account: once the reason is mended. What the mail server refuses once more is kept again.',
  body: Type.Object({ account_id: Type.Optional(Uuid) }),
  reply: Type.Object(
    { mails: Type.Integer({ minimum: 0, description: 'How many e-mails are sent again.' }) },
    { $id: 'MailsSentAgain' },
  ),
  handle: async ({ body }, app) => ({ mails: await sendRefusedAgain(app, body.account_id ?? null) }),
});

const clear = route('DELETE /api/v1/admin/mail/undeliverable/:account_id', {
  id: 'clearUndeliverableMail',
  access: 'admin',
  harm: { none: 'sends e-mails to an address that its account has anyway' },
  summary: 'Send e-mails to a refused address again',
  description: 'For refusals that were a mistake. E-mails that were refused before are not sent.',
  params: Type.Object({ account_id: Uuid }),
  ...NO_CONTENT,
  errors: ['not_found'],
  handle: async ({ params }, { pool }) => {
    await clearUndeliverable(pool, params.account_id);
    return null;
  },
});

export const undeliverableRoutes = [list, sendAgain, clear];
