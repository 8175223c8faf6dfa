/**
 * Operations on appeals: for people about whom a moderator has decided, and for admins who answer. They are there once for
 * everything, and once for the forums, whose paths came first.
 */
import { Type } from '@sinclair/typebox';
import { answerAppeal, fileAppeal } from '../../commands/reports/appeals.ts';
import { OneOf, ReasonText, Uuid } from '../../domain/core/schema.ts';
import type { AppealKind } from '../../domain/reports/appeal.ts';
import type { ReadModel } from '../../projections/engine/readModel.ts';
import { Appeal, appealStatuses, appeals, listAppeals, listOwnAppeals } from '../../projections/reports/appeals.ts';
import { callersChannel } from '../accounts/channels.ts';
import { ListOf, paged, pagingQuery } from '../http/paging.ts';
import { ById, type DeclaredRoute, NO_CONTENT, route, withStatus } from '../http/route.ts';

interface Appealed {
  /** The path after `/api/v1/` and `/api/v1/admin/`: `appeals`. */
  readonly path: string;
  /** Part of the ids of the operations: `Appeal`. */
  readonly name: string;
  /** At the end of summaries: ` in the forums`. */
  readonly where: string;
  readonly kinds: readonly AppealKind[];
  /** What can be appealed, as a sentence. */
  readonly about: string;
  /** What accepting does, as a sentence. */
  readonly undoes: string;
  /** Read models that show what is undone. */
  readonly projections: readonly Pick<ReadModel, 'name' | 'entity' | 'publishTo'>[];
}

const Filed = Type.Object({ id: Uuid, status: OneOf(['open'] as const) }, { $id: 'FiledAppeal' });

export const appealRoutes = ({ path, name, where, kinds, ...of }: Appealed): DeclaredRoute[] => {
  const own = route(`GET /api/v1/${path}/me`, {
    id: `listOwn${name}s`,
    access: 'user',
    summary: `List own appeals${where}`,
    description: 'The newest first.',
    query: Type.Object(pagingQuery),
    reply: ListOf(Appeal),
    reads: [appeals],
    channel: callersChannel,
    handle: ({ query, caller }, { db }) =>
      paged(query, (paging) => listOwnAppeals(db, { accountId: caller.id, kinds, ...paging })),
  });

  const file = route(`POST /api/v1/${path}`, {
    id: `file${name}`,
    access: 'user',
    summary: `Appeal against a decision of a moderator${where}`,
    description: `${of.about} Each decision can be appealed once.`,
    body: Type.Object(
      {
        kind: OneOf(kinds),
        subject_id: { ...Uuid, description: 'Of what was removed, or of the sanction.' },
        text: ReasonText,
      },
      { $id: `New${name}` },
    ),
    reply: Filed,
    status: 201,
    alternatives: { 200: { description: 'The caller has appealed before, and the appeal is open.' } },
    errors: ['not_found', 'conflict'],
    projections: [appeals],
    handle: async ({ body: { kind, subject_id: id, text }, caller, context }, app) => {
      const { appealId, isNew } = await fileAppeal(app, context, { accountId: caller.id, kind, id, text });
      const reply = { id: appealId, status: 'open' as const };
      return isNew ? reply : withStatus(200, reply);
    },
  });

  const list = route(`GET /api/v1/admin/${path}`, {
    id: `list${name}s`,
    access: 'admin',
    harm: 'content',
    summary: `List appeals${where}`,
    description: 'The oldest first.',
    query: Type.Object({ ...pagingQuery, status: Type.Optional(OneOf(appealStatuses)) }),
    reply: ListOf(Appeal),
    reads: [appeals],
    handle: ({ query: { status, ...query } }, { db }) =>
      paged(query, (paging) => listAppeals(db, { status, kinds, ...paging })),
  });

  const answering = route(`POST /api/v1/admin/${path}/:id/answer`, {
    id: `answer${name}`,
    access: 'admin',
    harm: 'rights',
    summary: `Answer an appeal${where}`,
    description: `\`accept\` undoes the decision: ${of.undoes}`,
    params: ById,
    body: Type.Object({
      action: OneOf(['accept', 'refuse'] as const),
      answer: { ...ReasonText, description: 'For who has appealed.' },
    }),
    ...NO_CONTENT,
    errors: ['not_found', 'conflict', 'invalid_transition'],
    projections: [appeals, ...of.projections],
    handle: async ({ params, body, context }, app) => {
      const { action, answer } = body;
      await answerAppeal(app, context, params.id, { kinds, accepted: action === 'accept', answer });
      return null;
    },
  });

  return [own, file, list, answering];
};
