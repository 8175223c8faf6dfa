/** The write-side manifest of this module. */
import type { CommandModule } from '../core/module.ts';
import { connectSupport, supportSettings } from './connect.ts';
import { answerDue, supportPolicy } from './policy.ts';
import { resolveOfErased } from './tickets.ts';

export const support = {
  policies: [supportPolicy],
  jobs: [answerDue],
  erasure: { after: resolveOfErased },
  settings: supportSettings,
  connect: connectSupport,
} as const satisfies CommandModule;
