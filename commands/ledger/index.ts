/** The write-side manifest of this module. */
import type { CommandModule } from '../core/module.ts';
import { ledgerPolicy } from './policy.ts';

export const ledger = { policies: [ledgerPolicy] } as const satisfies CommandModule;
