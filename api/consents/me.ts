/** The account of the caller, and which consents to ask for. */
import { Type } from '@sinclair/typebox';
import { notFound } from '../../domain/core/decider.ts';
import { withFields } from '../../infra/jsonText.ts';
import { accountById } from '../../projections/accounts/accounts.ts';
import { Account } from '../accounts/auth.ts';
import { route } from '../http/route.ts';
import { ConsentsToAsk, consentsToAsk } from './consents.ts';

export const meRoute = route('GET /auth/me', {
  id: 'getCurrentUser',
  access: 'user',
  summary: 'Get the current user',
  reply: Type.Object({ ...Account.properties, consent_required: ConsentsToAsk }, { $id: 'CurrentUser' }),
  errors: ['not_found'],
  handle: async ({ caller }, { db }) => {
    const [found, consent_required] = await Promise.all([accountById(db, caller.id), consentsToAsk(db, caller.id)]);
    if (!found) throw notFound('account');
    return withFields(found, { consent_required });
  },
});
