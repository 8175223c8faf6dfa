/** Addresses that the mail server refused, for admins. */
import { Type } from '@sinclair/typebox';
import { clearUndeliverable, listUndeliverable } from '../../commands/mail/addresses.ts';
import { Instant, Uuid } from '../../domain/core/schema.ts';
import { ListOf, listOf, pagingOf, pagingQuery } from '../http/paging.ts';
import { route } from '../http/route.ts';

const Undeliverable = Type.Object(
  {
    account_id: Uuid,
    code: Type.Integer({ description: 'The reply code of the mail server.' }),
    at: Instant,
  },
  { $id: 'UndeliverableMail' },
);

const list = route('GET /api/v1/admin/mail/undeliverable', {
  id: 'listUndeliverableMail',
  access: 'admin',
  summary: 'List accounts whose e-mail address was refused',
  description: 'Newest first. Nothing is sent to such an address until the account has another one, or it is cleared.',
  query: Type.Object(pagingQuery),
  reply: ListOf(Undeliverable),
  handle: async ({ query }, { pool }) => {
    const paging = pagingOf(query);
    return listOf(await listUndeliverable(pool, paging), paging);
  },
});

const clear = route('DELETE /api/v1/admin/mail/undeliverable/:account_id', {
  id: 'clearUndeliverableMail',
  access: 'admin',
  summary: 'Send e-mails to a refused address again',
  description: 'For refusals that were our own fault, such as those of a blocked sender.',
  params: Type.Object({ account_id: Uuid }),
  reply: Type.Null(),
  status: 204,
  errors: ['not_found'],
  handle: async ({ params }, { pool }) => {
    await clearUndeliverable(pool, params.account_id);
    return null;
  },
});

export const undeliverableRoutes = [list, clear];
