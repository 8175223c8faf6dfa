/** The write-side manifest of this module. */
import type { CommandModule } from '../core/module.ts';
import { answerDue, supportPolicy } from './policy.ts';
import { supportSettings } from './settings.ts';
import { resolveOfErased } from './tickets.ts';

export const support = {
  policies: [supportPolicy],
  jobs: [answerDue],
  erasure: { after: resolveOfErased },
  settings: supportSettings,
} as const satisfies CommandModule;
