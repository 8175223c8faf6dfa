/** The account of the caller. Modules above add what they have to say about a person. */
import { type TProperties, Type } from '@sinclair/typebox';
import { notFound } from '../../domain/core/decider.ts';
import { withFields } from '../../infra/jsonText.ts';
import { accountById } from '../../projections/accounts/accounts.ts';
import type { ReadDb } from '../../projections/engine/readDb.ts';
import { route } from '../http/route.ts';
import { Account } from './auth.ts';

/** Further fields of `GET /auth/me`, which `api/modules.ts` registers. */
export interface AboutMe {
  readonly fields: TProperties;
  read(db: ReadDb, accountId: string): Promise<object>;
}

export const meRoute = (more: readonly AboutMe[]) =>
  route('GET /auth/me', {
    id: 'getCurrentUser',
    access: 'user',
    summary: 'Get the current user',
    reply: Type.Object(Object.assign({}, Account.properties, ...more.map(({ fields }) => fields)), {
      $id: 'CurrentUser',
    }),
    errors: ['not_found'],
    handle: async ({ caller }, { db }) => {
      const [found, ...rest] = await Promise.all([
        accountById(db, caller.id),
        ...more.map(({ read }) => read(db, caller.id)),
      ]);
      if (!found) throw notFound('account');
      return withFields(found, Object.assign({}, ...rest));
    },
  });
