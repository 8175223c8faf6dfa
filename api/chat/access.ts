/** Who asks, and what they may read. */

import type { ThreadActor } from '../../commands/chat/threads.ts';
import { account } from '../../domain/accounts/account.ts';
import { notFound } from '../../domain/core/decider.ts';
import { MINUTE_MS } from '../../domain/core/instants.ts';
import { type ShownName, shownName } from '../../projections/accounts/shortNames.ts';
import { type MessageRow, messageById } from '../../projections/chat/messages.ts';
import { mayRead } from '../../projections/chat/participants.ts';
import type { App } from '../http/app.ts';
import type { User } from '../http/caller.ts';

/** What reports call a message. */
export const MESSAGE = 'message';

/** Admins answer for the support. */
export const actorOf = ({ id, role }: User): ThreadActor => ({ accountId: id, isAgent: role === 'admin' });

/** @throws Rejected `not_found` for people who may not read the thread */
export const requireReader = async (app: App, caller: User, threadId: string): Promise<void> => {
  if (!(await mayRead(app.db, threadId, { accountId: caller.id, role: caller.role }))) throw notFound('chat');
};

/** A message that this person may read. @throws Rejected `not_found` */
export const readableMessage = async (app: App, { id, role }: User, messageId: string): Promise<MessageRow> => {
  const row = await messageById(app.db, messageId);
  if (row && (await mayRead(app.db, row.thread_id, { accountId: id, role }))) return row;
  throw notFound('message');
};

/** How the account is named now, from memory: a name that was changed is shown a little later. */
export const nameNow = async ({ aggregates }: App, id: string): Promise<ShownName> => {
  const { state } = await aggregates.load(account, id, { maxAgeMs: MINUTE_MS });
  return shownName(state.status === 'none' ? { firstName: '', lastName: '' } : state);
};
