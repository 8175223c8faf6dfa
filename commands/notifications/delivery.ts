/**
 * Delivery beside the list: push and e-mail. Each is a job of its own, set together with the notification. The job looks
 * whether it is still worth it: what was read, deleted, replaced by a newer one or is too old is not delivered.
 */
import { type NotificationRow, ROW_COLUMNS } from '../../domain/notifications/notification.ts';
import { quietUntil } from '../../domain/push/quietHours.ts';
import { derivedId } from '../../infra/ids.ts';
import { verifiedAddressesAt } from '../accounts/formerContacts.ts';
import { defineJob, type JobDefinition } from '../core/jobs.ts';
import { type NotificationDeclaration, worthUntil } from '../core/notification.ts';
import { type Mail, mailTo, mailToAddresses } from '../mail/mailTo.ts';
import { pushTo } from '../push/pushTo.ts';
import { pushOutcomes } from '../push/results.ts';
import type { NotificationDeps } from './deps.ts';
import { loadPeople, type People } from './namesAndLanguages.ts';
import { mayMarket, ownPreferences, wantsMail, wantsPush } from './preferences.ts';
import { textOf } from './texts.ts';

interface Delivery {
  readonly id: string;
  readonly version: number;
}

interface Due {
  readonly row: NotificationRow;
  readonly declaration: NotificationDeclaration;
  readonly people: People;
  /** When it stops being worth it. */
  readonly expiresAt: string;
}

/** What is still to be delivered at `at`; undefined: nothing. */
const dueAt = async (deps: NotificationDeps, { id, version }: Delivery, at: string): Promise<Due | undefined> => {
  const { rows } = await deps.pool.query<NotificationRow>(
    `select ${ROW_COLUMNS} from ops.notifications where id = $1 and deleted_at is null and read_at is null`,
    [id],
  );
  const [row] = rows;
  const declaration = row && deps.notifications.get(row.name);
  if (!declaration || row.version !== version) return undefined;
  const expiresAt = worthUntil(declaration, row.params, row.at);
  if (expiresAt <= at) return undefined;
  if (row.kind === 'marketing' && !(await mayMarket(deps, row.person_id))) return undefined;
  const people = await loadPeople(deps, [row.person_id], [row.of_person]);
  return people.exists(row.person_id) ? { row, declaration, people, expiresAt } : undefined;
};

const pushIdOf = (id: string, version: number | string): string => derivedId('push', id, version);
/** By the ids of the jobs. */
const outcomesOfPush: JobDefinition['outcomes'] = async (db, jobIds) => {
  const messages = new Map(
    jobIds.map((jobId) => {
      const [id = '', version = ''] = jobId.split(':');
      return [jobId, pushIdOf(id, version)];
    }),
  );
  const outcomes = await pushOutcomes(db, [...messages.values()]);
  return new Map(
    [...messages].flatMap(([jobId, id]) => (outcomes.has(id) ? [[jobId, outcomes.get(id) as string]] : [])),
  );
};

/** The job's id is the notification's, with its version. */
export const pushJob = defineJob<Delivery, NotificationDeps>(
  'notification_push',
  async ({ data }, { deps, context }) => {
    const due = await dueAt(deps, data, context.at);
    if (!due) return undefined;
    const { row, declaration, people, expiresAt } = due;
    const { kind, urgency } = declaration;
    const preferences = await ownPreferences(deps, row.person_id);
    if (!wantsPush(preferences, kind)) return undefined;
    const againAt = urgency === 'critical' ? null : quietUntil(preferences.quiet_hours, context.at);
    if (againAt !== null) return againAt < expiresAt ? { againAt } : undefined;
    await pushTo(deps, row.person_id, {
      id: pushIdOf(row.id, row.version),
      kind,
      ...textOf(declaration, row, people, people.languageOf(row.person_id)),
      link: declaration.link(row.params as never),
      urgency: urgency === 'normal' ? 'normal' : 'high',
      passesQuietHours: urgency === 'critical',
      expiresAt,
      collapseKey: row.version > 0 ? row.id : null,
      ofPerson: row.of_person,
    });
    return undefined;
  },
  { outcomes: outcomesOfPush },
);

/** The job's id is the notification's, with its version. */
export const mailJob = defineJob<Delivery, NotificationDeps>(
  'notification_mail',
  async ({ data }, { deps, context }) => {
    const due = await dueAt(deps, data, context.at);
    if (!due?.declaration.mail) return undefined;
    const { row, declaration, people, expiresAt } = due;
    if (!wantsMail(await ownPreferences(deps, row.person_id), declaration.kind)) return undefined;
    const language = people.languageOf(row.person_id);
    const { title, body } = textOf(declaration, row, people, language);
    const { paragraphs, attachments } = await due.declaration.mail(row.params as never, language, deps as never);
    const mail: Mail = {
      id: derivedId('mail', row.id, row.version),
      subject: title,
      paragraphs: [body, ...paragraphs],
      link: { text: language === 'ru' ? 'Открыть' : 'Open', path: declaration.link(row.params as never) },
      attachments,
      marketing: row.kind === 'marketing',
      language,
      expiresAt,
    };
    if (declaration.toFormerAddresses)
      await mailToAddresses(deps, context, row.person_id, await verifiedAddressesAt(deps, row.person_id, row.at), mail);
    else await mailTo(deps, context, row.person_id, mail);
    return undefined;
  },
);
