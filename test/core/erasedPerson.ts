/** A person who has left something everywhere, and texts by which it would be found. */
import { openAccount } from '../../commands/accounts/accounts.ts';
import { requestRole } from '../../commands/accounts/roleRequests.ts';
import { updateBooking } from '../../commands/bookings/bookings.ts';
import { addListing } from '../../commands/catalog/listings.ts';
import { editMessage, sendMessage } from '../../commands/chat/messages.ts';
import { startGroup } from '../../commands/chat/threads.ts';
import type { CommandContext } from '../../commands/core/handle.ts';
import { addMethod, syncMethod } from '../../commands/payments/paymentMethods.ts';
import { changeOwnerSettings } from '../../commands/payments/paymentSettings.ts';
import { reportContent } from '../../commands/reports/reports.ts';
import { openTicket } from '../../commands/support/tickets.ts';
import { listingKinds } from '../../domain/catalog/listings.ts';
import { type Stage, TIMEZONE } from '../bookings/stage.ts';
import { instructorDetails } from '../catalog/listingFixtures.ts';
import { knownMessage } from '../chat/chatFixtures.ts';
import { contextOf } from '../kit/context.ts';
import type { Stores } from '../kit/stores.ts';
import type { FakeTokenisation } from '../payments/fakeTokenisation.ts';

/** None of them may be found afterwards. */
export const TEXTS = {
  email: 'erased.person@example.org',
  phone: '+79990001122',
  firstName: 'Zinaida',
  lastName: 'Vergessen',
  company: 'Vergessen Tours',
  document: 'https://files.example.org/vergessen.pdf',
  notes: 'аллергия Зинаиды на орехи',
  message: 'zinaida writes',
  edited: 'zinaida corrects herself',
  group: 'friends of zinaida',
  report: 'zinaida complains',
  subject: 'zinaida has lost a glove',
  instructor: 'Zinaida V., instructor',
  holder: 'ZINAIDA VERGESSEN',
  account: '40702810900000002851',
  masked: '****************2851',
  last4: '7391',
  token: 'not-a-secret-vergessen',
  ip: '198.51.100.77',
};

/** Messages, a group, a report, a ticket. */
const writeEverything = async (
  node: Stage['node'],
  accountId: string,
  context: (id: string) => CommandContext,
): Promise<void> => {
  const who = { accountId, isAgent: false };
  const { threadId } = await startGroup(node, context(accountId), accountId, { title: TEXTS.group, memberIds: [] });
  const text = { kind: 'text', mentions: [], attachments: [], replyTo: null, clientMessageId: null } as const;
  const sending = { ...context(accountId), at: new Date().toISOString() };
  const sent = await sendMessage(node, sending, who, { threadId, body: TEXTS.message, ...text });
  await sendMessage(node, context(accountId), who, { threadId, body: TEXTS.message, ...text });
  await editMessage(node, context(accountId), who, knownMessage(threadId, sent, sending.at), { body: TEXTS.edited });
  const subject = { kind: 'chat', id: threadId, within: null } as const;
  await reportContent(node, context(accountId), accountId, {
    subject,
    authorId: null,
    text: null,
    reason: TEXTS.report,
  });
  await openTicket(node, context(accountId), accountId, { subject: TEXTS.subject, message: TEXTS.message });
};

/** The parts of a world that somebody leaves something in. */
interface Places {
  readonly stores: Stores;
  readonly stage: Stage;
  readonly saving: FakeTokenisation;
}

export const startSession = (stores: Stores, accountId: string) =>
  stores.pool.query(
    `insert into ops.sessions (id, account_id, token_version, started_at, expires_at)
     values (gen_random_uuid(), $1, 0, now(), now() + interval '1 day')`,
    [accountId],
  );

/** A person who has left something everywhere. */
export const openPerson = async (
  { stores, stage, saving }: Places,
  { email, phone }: { readonly email: string; readonly phone: string },
): Promise<string> => {
  const { node } = stage;
  const context = (id: string, role = 'tourist') => ({ ...contextOf(id, role), ip: TEXTS.ip });
  const { firstName, lastName } = TEXTS;
  const { accountId } = await openAccount(node, contextOf('admin', 'admin'), {
    role: 'instructor',
    email,
    phone,
    firstName,
    lastName,
    password: 'correct horse',
  });
  const mine = context(accountId, 'instructor');
  await requestRole(node, context(accountId), accountId, {
    role: 'tour_operator',
    companyName: TEXTS.company,
    documents: [{ name: 'passport of Vergessen', url: TEXTS.document }],
    comment: 'Vergessen asks',
  });
  const booking = await stage.book(accountId, node, context(accountId));
  await updateBooking(node, context(accountId), booking.bookingId, { notes: TEXTS.notes });
  await addListing(node, mine, listingKinds.instructor, {
    ownerId: accountId,
    timezone: TIMEZONE,
    currency: 'RUB',
    details: { ...instructorDetails, name: TEXTS.instructor, description: 'Zinaida teaches' },
  });
  await changeOwnerSettings(node, mine, accountId, {
    nominalAccount: { bik: '044030827', accountNumber: TEXTS.account, holder: TEXTS.holder },
  });
  await writeEverything(node, accountId, context);
  const { method } = await addMethod(node, context(accountId), { method: 'card' });
  saving.says(method.methodId, 'active', { token: TEXTS.token, brand: 'Mir', last4: TEXTS.last4, exp: '12/40' });
  await syncMethod(node, context(accountId), accountId, method.methodId);
  await stores.pool.query(`insert into ops.sandbox_messages (phone, text) values ($1, 'a code')`, [phone]);
  await startSession(stores, accountId);
  return accountId;
};
