/** Addresses that the mail server refused, for admins. */
import { Type } from '@sinclair/typebox';
import { clearUndeliverable, listUndeliverable, undeliverableCauses } from '../../commands/mail/addresses.ts';
import { Instant, Nullable, OneOf, Uuid } from '../../domain/core/schema.ts';
import { ListOf, paged, pagingQuery } from '../http/paging.ts';
import { NO_CONTENT, route } from '../http/route.ts';

const Undeliverable = Type.Object(
  {
    account_id: Uuid,
    cause: OneOf(undeliverableCauses, {
      description:
        '`refused` at once by the mail server, `bounced` later, or `complained`: its reader called an e-mail spam.',
    }),
    code: {
      ...Nullable(Type.Integer()),
      description: 'The reply code of the mail server; null where it is not known.',
    },
    at: Instant,
  },
  { $id: 'UndeliverableMail' },
);

const list = route('GET /api/v1/admin/mail/undeliverable', {
  id: 'listUndeliverableMail',
  access: 'admin',
  harm: { none: 'shows ids of accounts, no addresses' },
  summary: 'List accounts whose e-mail address gets no e-mails',
  description: 'Newest first. Nothing is sent to such an address until the account has another one, or it is cleared.',
  query: Type.Object(pagingQuery),
  reply: ListOf(Undeliverable),
  handle: ({ query }, { pool }) => paged(query, (paging) => listUndeliverable(pool, paging)),
});

const clear = route('DELETE /api/v1/admin/mail/undeliverable/:account_id', {
  id: 'clearUndeliverableMail',
  access: 'admin',
  harm: { none: 'sends e-mails to an address that its account has anyway' },
  summary: 'Send e-mails to a refused address again',
  description: 'For refusals that were our own fault, such as those of a blocked sender.',
  params: Type.Object({ account_id: Uuid }),
  ...NO_CONTENT,
  errors: ['not_found'],
  handle: async ({ params }, { pool }) => {
    await clearUndeliverable(pool, params.account_id);
    return null;
  },
});

export const undeliverableRoutes = [list, clear];
