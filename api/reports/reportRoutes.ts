/**
 * Operations on reports: a module whose content can be reported declares what people report, how admins see it, and how it
 * is removed.
 */
import { type Static, type TSchema, Type } from '@sinclair/typebox';
import type { CommandContext } from '../../commands/core/handle.ts';
import { closeReports, type Reported, reportContent, resolveReport } from '../../commands/reports/reports.ts';
import { notFound, Rejected } from '../../domain/core/decider.ts';
import { Nullable, OneOf, ReasonText, Uuid } from '../../domain/core/schema.ts';
import type { ReportAction, ReportKind } from '../../domain/reports/report.ts';
import { arrayText, type JsonText, objectText } from '../../infra/jsonText.ts';
import type { ReadModel } from '../../projections/engine/readModel.ts';
import { ReportedTexts, reportEvidence, reportedTexts } from '../../projections/reports/evidence.ts';
import {
  listReports,
  openReportsOf,
  type ReportRow,
  reportById,
  reportStatuses,
  reports,
} from '../../projections/reports/reports.ts';
import type { App } from '../http/app.ts';
import type { User } from '../http/caller.ts';
import { ListOf, listOf, pagingOf, pagingQuery } from '../http/paging.ts';
import { ById, type DeclaredRoute, NO_CONTENT, route, withStatus } from '../http/route.ts';

const Filed = Type.Object(
  { id: Uuid, subject_kind: Type.String(), subject_id: Uuid, status: OneOf(reportStatuses) },
  { $id: 'FiledReport' },
);

export interface Filing {
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  /** The name of the parameter with the id of what is reported. */
  readonly param: string;
  /** What the caller reports. @throws Rejected `not_found` when the caller may not see it */
  readonly find: (app: App, caller: User, id: string) => Promise<Reported>;
}

/** Closes the open reports of what an admin has removed without answering one of them. */
export const closeReportsOf = async (
  app: App,
  context: CommandContext,
  subject: { readonly kind: string; readonly id: string },
): Promise<void> => closeReports(app, context, await openReportsOf(app.db, subject));

/** The operation by which people report something. */
export const filingRoute = (key: `POST /${string}`, { param, find, ...described }: Filing): DeclaredRoute =>
  route(key, {
    ...described,
    access: 'user',
    params: Type.Object({ [param]: Uuid }),
    body: Type.Object({ reason: ReasonText }),
    reply: Filed,
    status: 201,
    alternatives: { 200: { description: 'The caller reported it before, and the report is open.' } },
    errors: ['not_found', 'invalid', 'conflict'],
    projections: [reports, reportEvidence],
    handle: async ({ params, body: { reason }, caller, context }, app) => {
      const reported = await find(app, caller, params[param] as string);
      const { subject } = reported;
      const { reportId: id, isNew } = await reportContent(app, context, caller.id, { ...reported, reason });
      const reply = { id, subject_kind: subject.kind, subject_id: subject.id, status: 'open' as const };
      return isNew ? reply : withStatus(200, reply);
    },
  });

export interface Reportable<Content extends TSchema> {
  /** The path of the queue: `chat-reports`. */
  readonly path: string;
  /** The kinds of subjects in it. */
  readonly kinds: readonly ReportKind[];
  /** What is reported, in summaries: `reviews`. */
  readonly what: string;
  /** The component of a report in the API description; the ids of the operations have it too. */
  readonly name: string;
  /** As admins see what is reported. */
  readonly content: Content;
  /** The contents that still exist, by the ids of the subjects. */
  readonly show: (app: App, ids: readonly string[]) => Promise<ReadonlyMap<string, JsonText<Static<Content>>>>;
  /** The operation that shows admins what an author has deleted while a report was open; undefined: nothing is kept. */
  readonly history?: string;
  /** What `remove` does, as a sentence. */
  readonly removal: string;
  /** Whom an admin gives a reason who removes it: `the author of the review`. */
  readonly reasonFor: string;
  /** @param by.reason for the author @throws Rejected */
  readonly remove: (
    app: App,
    context: CommandContext,
    row: ReportRow,
    by: { readonly caller: User; readonly reason: string },
  ) => Promise<unknown>;
  /** Read models that show the removal. */
  readonly projections: readonly Pick<ReadModel, 'name' | 'entity' | 'publishTo'>[];
}

/** Contents by their ids. @param forms of the rows, in the same order */
export const byId = <Form>(
  rows: readonly { readonly id: string }[],
  forms: readonly Form[],
): ReadonlyMap<string, Form> => new Map(forms.map((form, n) => [rows[n]?.id ?? '', form]));

/** The reason of a removal. @param whom it is for: `the author of the review` @throws Rejected `invalid` */
const requireReason = (reason: string | undefined, whom: string): string => {
  if (reason === undefined) throw new Rejected('invalid', `Write a reason for ${whom}.`, { fields: ['reason'] });
  return reason;
};

const actions = { dismiss: 'dismissed', remove: 'removed' } as const satisfies Record<string, ReportAction>;

/** The operations by which admins read and answer reports. */
export const reportRoutes = <Content extends TSchema>({ kinds, what, ...of }: Reportable<Content>): DeclaredRoute[] => {
  const Report = Type.Object(
    {
      ...reports.row.properties,
      reported_texts: ReportedTexts,
      content: { ...Nullable(of.content), description: 'What is reported; null: it does not exist any more.' },
    },
    { $id: of.name },
  );

  const queue = route(`GET /api/v1/admin/${of.path}`, {
    id: `list${of.name}s`,
    access: 'admin',
    harm: 'content',
    summary: `List reports of ${what}`,
    description: `The oldest first.${of.history ? ` What its author deleted while a report was open is in \`${of.history}\`.` : ''}`,
    query: Type.Object({ ...pagingQuery, status: Type.Optional(OneOf(reportStatuses)) }),
    reply: ListOf(Report),
    reads: [reports, reportEvidence],
    handle: async ({ query }, app) => {
      const paging = pagingOf(query);
      const { rows, total } = await listReports(app.db, { kinds, status: query.status, ...paging });
      const ids = rows.map(({ subject_id }) => subject_id);
      const [contents, texts] = await Promise.all([of.show(app, ids), reportedTexts(app.db, kinds, ids)]);
      const data = rows.map((row) => {
        const reported_texts = texts.get(row.subject_id) ?? [];
        return objectText<object>({ ...row, reported_texts, content: contents.get(row.subject_id) ?? null });
      });
      return objectText<never>({ ...listOf({ rows: [], total }, paging), data: arrayText(data) } as never);
    },
  });

  const resolve = route(`POST /api/v1/admin/${of.path}/:id/resolve`, {
    id: `resolve${of.name}`,
    access: 'admin',
    harm: 'content',
    summary: `Resolve a report of ${what}`,
    description: `\`dismiss\` changes nothing else. \`remove\`: ${of.removal} It needs a \`reason\` for ${of.reasonFor}. Other open reports of the same are closed.`,
    params: ById,
    body: Type.Object({
      action: OneOf(['dismiss', 'remove'] as const),
      reason: Type.Optional(Type.String({ minLength: 1, maxLength: 1_000, description: 'For the author.' })),
    }),
    ...NO_CONTENT,
    errors: ['not_found', 'invalid', 'invalid_transition', 'conflict'],
    projections: [reports, ...of.projections],
    handle: async ({ params, body: { action, reason }, caller, context }, app) => {
      const row = await reportById(app.db, params.id, kinds);
      if (!row) throw notFound('report');
      const given = action === 'remove' ? requireReason(reason, of.reasonFor) : '';
      const remove = (own: CommandContext) => of.remove(app, own, row, { caller, reason: given });
      const open = await openReportsOf(app.db, { kind: row.subject_kind, id: row.subject_id });
      const others = open.filter((id) => id !== params.id);
      await resolveReport(app, context, params.id, { action: actions[action], remove, others });
      return null;
    },
  });
  return [queue, resolve];
};
