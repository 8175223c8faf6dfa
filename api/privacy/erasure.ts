/** The end of an account, at the request of its person. */
import { Type } from '@sinclair/typebox';
import { certificateOf } from '../../commands/core/certificateParts.ts';
import { certificateById } from '../../commands/core/certificates.ts';
import { Instant, Nullable, OneOf, Uuid } from '../../domain/core/schema.ts';
import { route } from '../http/route.ts';
import { endAccount } from './endAccount.ts';

const Erased = Type.Object(
  {
    status: OneOf(['erased', 'under_way', 'pending'] as const, {
      description:
        '`erased`: nobody can sign in any more, and nothing here shows you. `under_way`: the same, or it is so within a minute; what was not done within some seconds goes on without the request. A payment provider or the file store that has not confirmed yet that it deleted your cards or files is asked again until it has, for seven days at most; the certificate says what came of it. `pending`: it is erased at `due_at`, unless you sign in before: the operator has set a grace period, money is still due to you, or there was more to cancel than one request has time for.',
    }),
    due_at: Nullable(Instant),
    certificate_id: {
      ...Uuid,
      description: 'Of [the certificate](#/operations/getErasureCertificate), which says what was erased. Keep it.',
    },
  },
  { $id: 'ErasedAccount' },
);

export const erasureRoute = route('DELETE /api/v1/me', {
  id: 'deleteMe',
  ignoresKey: 'a repeat with the same access token gets the same certificate',
  access: 'user',
  rate: 'money',
  harm: 'account',
  summary: 'Delete your account and everything personal',
  description:
    'Cannot be undone, unless the operator has set a grace period: your sessions and listings then end at once, and signing in before `due_at` keeps the account. The key that your personal data is encrypted with is destroyed, saved cards are removed at the providers, sessions and devices end, files and tracks are deleted. Bookings and payments keep their ids and amounts. What stands in the way is answered as 409 with `reasons`: bookings to come, ski passes and insurance that are not over, money between you and the platform, being the last admin. `settle=cancel` first cancels the bookings and purchases, with the refunds that their policies give; what you have sold and is still to come is refunded to its guests in full. Money that is still due to a seller then, such as for stays that have ended, does not stand in the way: the account closes at once (`pending`), the money is released and paid out to your bank account, and everything personal is deleted after 30 days. What you owe stands in the way. If there are so many that some are left after 2 seconds, the account closes at once (`pending`), and the others are cancelled in the background, as their policies say then; it is erased an hour after the request, or as soon after that as nothing is left. What cannot be cancelled keeps the account until it is over, for 30 days at most. Signing in before keeps the account, and what is left of the bookings. If the reply was lost, send the request again with the same access token: it changes nothing more and answers the same `certificate_id`. [The export](#/operations/exportMe) comes first: afterwards there is nothing to export.',
  query: Type.Object({
    settle: Type.Optional(
      OneOf(['cancel'] as const, {
        description:
          'Cancels bookings that are still to come, and ski passes and insurance that are not over, and has what is due to a seller paid out first.',
      }),
    ),
  }),
  reply: Erased,
  errors: ['account_in_use'],
  repeated: async (accountId, app) => {
    const certificate = await certificateById(app.pool, certificateOf(app.vault, accountId));
    if (!certificate) return undefined;
    const { id, dueAt, doneAt, parts } = certificate;
    if (dueAt !== null) return { status: 'pending' as const, due_at: dueAt, certificate_id: id };
    const isErased = doneAt !== null && !parts.some(({ outcome }) => outcome === 'waiting');
    const status = isErased ? ('erased' as const) : ('under_way' as const);
    return { status, due_at: null, certificate_id: id };
  },
  handle: async ({ query: { settle }, caller, context }, app) => {
    const end = await endAccount(app, context, caller.id, { resolves: settle === 'cancel' });
    const certificate_id = certificateOf(app.vault, caller.id);
    if (end.dueAt !== null) return { status: 'pending' as const, due_at: end.dueAt, certificate_id };
    const status = end.isOver ? ('erased' as const) : ('under_way' as const);
    return { status, due_at: null, certificate_id };
  },
});
