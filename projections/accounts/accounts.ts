/** Accounts as they are now. Signing in is decided on the log, never here. */

import { Type } from '@sinclair/typebox';
import { Language } from '../../domain/accounts/accountEvents.ts';
import { accountsPurpose } from '../../domain/accounts/index.ts';
import { Role } from '../../domain/accounts/role.ts';
import { Instant, Nullable, Uuid } from '../../domain/core/schema.ts';
import type { JsonText } from '../../infra/jsonText.ts';
import { toSnake } from '../../infra/naming.ts';
import { type Page, type Paging, pageOf } from '../engine/paging.ts';
import { type ReadDb, tables } from '../engine/readDb.ts';
import { existing, type RowOf, readModel } from '../engine/readModel.ts';
import { type Found, foundAsReplies, storedText } from '../engine/replies.ts';

export const accounts = readModel('accounts', {
  version: 3,
  storesWire: true,
  row: Type.Object({
    id: Uuid,
    role: Role,
    email: Nullable(Type.String()),
    /** Whether e-mails are sent to it, and an identity provider signs in by it. */
    email_verified: Type.Boolean(),
    phone: Nullable(Type.String()),
    first_name: Type.String(),
    last_name: Type.String(),
    language: Language,
    /** False: the account signs in only by code. */
    has_password: Type.Boolean(),
    created_at: Instant,
    updated_at: Instant,
  }),
  key: 'id',
  personalData: {
    whose: 'id',
    texts: ['email', 'phone', 'first_name', 'last_name'],
    why: accountsPurpose,
    retention: 'account',
  },
  on: {
    AccountOpened: (_, { streamId, at, data }) => ({
      id: streamId,
      role: data.role,
      email: data.email,
      email_verified: data.email !== null,
      phone: data.phone,
      first_name: data.firstName,
      last_name: data.lastName,
      language: data.language,
      has_password: data.passwordHash !== null,
      created_at: at,
      updated_at: at,
    }),
    ProfileChanged: (row, { at, data }) => ({ ...existing(row), ...toSnake(data), updated_at: at }),
    EmailChanged: (row, { at, data }) => ({
      ...existing(row),
      email: data.email,
      email_verified: false,
      updated_at: at,
    }),
    EmailVerified: (row, { at }) => ({ ...existing(row), email_verified: true, updated_at: at }),
    PhoneChanged: (row, { at, data }) => ({ ...existing(row), phone: data.phone, updated_at: at }),
    PasswordRemoved: (row, { at }) => ({ ...existing(row), has_password: false, updated_at: at }),
    PasswordChanged: (row, { at }) => ({ ...existing(row), has_password: true, updated_at: at }),
    RoleGranted: (row, { at, data }) => ({ ...existing(row), role: data.role, updated_at: at }),
  },
  indexes: ['created_at desc, id', 'role, created_at desc, id'],
});
export type AccountRow = RowOf<typeof accounts>;

const texts = (db: ReadDb) =>
  tables(db, accounts).selectFrom('accounts').select('id').select(storedText(accounts, 'admin').as('wire'));
const shown = (db: ReadDb, found: readonly Found[]): Promise<JsonText<AccountRow>[]> =>
  foundAsReplies(db, accounts, found, () => 'admin');

/** An account as its owner and admins see it. */
export const accountById = async (db: ReadDb, id: string): Promise<JsonText<AccountRow> | undefined> =>
  (await shown(db, await texts(db).where('id', '=', id).execute()))[0];

/** Whether the read model has an admin. */
export const hasAdmin = async (db: ReadDb): Promise<boolean> =>
  (await texts(db).where('role', '=', 'admin').limit(1).execute()).length > 0;

/** Whether the read model has this account, and it was opened at this instant or later. */
export const isSince = async (db: ReadDb, id: string, at: string): Promise<boolean> =>
  (await texts(db).where('id', '=', id).where('created_at', '>=', at).execute()).length > 0;

/** Newest first. */
export const listAccounts = async (
  db: ReadDb,
  { role, ...paging }: Paging & { readonly role?: Role | undefined },
): Promise<Page<JsonText<AccountRow>>> => {
  const matching = texts(db).$if(role !== undefined, (q) => q.where('role', '=', role as Role));
  const { rows, total } = await pageOf(db, matching.orderBy('created_at', 'desc').orderBy('id'), paging);
  return { rows: await shown(db, rows), total };
};
