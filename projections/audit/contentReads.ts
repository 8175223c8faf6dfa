/** Whose personal data somebody was shown in the log, or on the command line, and why: for the export of that person. */
import { Type } from '@sinclair/typebox';
import { auditPurpose } from '../../domain/audit/index.ts';
import { Instant, Uuid } from '../../domain/core/schema.ts';
import { readModel } from '../engine/readModel.ts';

export const contentReads = readModel('content_reads', {
  version: 1,
  row: Type.Object({
    id: Uuid,
    account_id: Uuid,
    at: Instant,
    what: Type.String({ description: '`events`, `stream` or `state` of the log, or `export`: all that is held.' }),
    reason: Type.String(),
    actor_kind: Type.String(),
    actor_role: Type.String({ description: 'In which role somebody was shown it, such as `admin`.' }),
  }),
  key: 'id',
  insertOnly: true,
  personalData: {
    whose: 'account_id',
    texts: ['reason'],
    why: auditPurpose,
    retention: { always: 'who was shown personal data has to be proved; the reason goes with the account' },
  },
  on: {
    ContentShown: {
      keys: ({ id }) => [{ id }],
      fold: (_, { id, at, meta: { actor }, data: { accountId, what, reason } }) => ({
        id,
        account_id: accountId,
        at,
        what,
        reason,
        actor_kind: actor.kind,
        actor_role: actor.role,
      }),
    },
  },
  indexes: ['account_id, at'],
});
