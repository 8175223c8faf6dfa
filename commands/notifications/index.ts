/** The write-side manifest of this module. */
import type { CoreDeps } from '../core/deps.ts';
import type { CommandModule } from '../core/module.ts';
import type { LanguagePort } from '../mail/language.ts';
import { mailJob, pushJob } from './delivery.ts';
import { forgetTitles } from './forgetTitles.ts';
import { cueJob } from './policy.ts';
import { ownPreferences } from './preferences.ts';
import { pruneNotifications } from './prune.ts';
import { notificationMigrations } from './tables.ts';

export const notifications = {
  jobs: [cueJob, pushJob, mailJob],
  migrations: [notificationMigrations],
  prunes: [pruneNotifications],
  erasure: { after: forgetTitles },
  connect: (_: object, core: CoreDeps): LanguagePort => ({
    chosenLanguage: async (person) => (await ownPreferences(core, person)).language,
  }),
} as const satisfies CommandModule;
