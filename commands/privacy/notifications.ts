/** What people are told about the archive of their data. */
import { Type } from '@sinclair/typebox';
import { DAY_MS } from '../../domain/core/instants.ts';
import { Instant } from '../../domain/core/schema.ts';
import { dayAndTime } from '../../domain/core/wording.ts';
import type { CoreDeps } from '../core/deps.ts';
import type { CommandContext } from '../core/handle.ts';
import { notification, plainMail, setCue } from '../core/notification.ts';
import { archiveById } from './tables.ts';

const NAME = 'export_archive_ready';

/** An archive is no event: this is where it is told from. Repeated, it tells nobody twice. */
export const tellReady = ({ jobs }: Pick<CoreDeps, 'jobs'>, context: CommandContext, archiveId: string) =>
  setCue(jobs, context, {
    ...{ name: NAME, key: archiveId, about: { archiveId } },
    ...{ eventAt: context.at, dueAt: context.at },
  });

/** The link to the archive is behind a sign-in, and not in the e-mail: whoever reads the mailbox must not get everything. */
const archiveReady = notification(NAME, {
  kind: 'system',
  urgency: 'normal',
  worthMs: DAY_MS,
  params: Type.Object({ expires_at: Instant }),
  find: async ({ archiveId = '' }, { deps: { pool }, at }) => {
    const archive = await archiveById(pool, archiveId);
    if (archive?.status !== 'ready' || archive.expires_at === null || archive.expires_at <= at) return [];
    return [{ to: archive.person_id, params: { expires_at: archive.expires_at } }];
  },
  text: {
    ru: ({ expires_at }) => ({
      title: 'Архив ваших данных готов',
      body: `Скачайте его в настройках до ${dayAndTime('ru', 'UTC', expires_at)}: потом он будет удалён.`,
    }),
    en: ({ expires_at }) => ({
      title: 'The archive of your data is ready',
      body: `Download it in the settings before ${dayAndTime('en', 'UTC', expires_at)}: then it is deleted.`,
    }),
  },
  link: () => '/settings/privacy',
  mail: plainMail,
});

export const privacyNotifications = [archiveReady];
