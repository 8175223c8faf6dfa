/** The write-side manifest of this module. */
import type { CommandModule } from '../core/module.ts';
import { apiKeyUsageTables } from './apiKeys.ts';

export const partners = { tables: [apiKeyUsageTables] } as const satisfies CommandModule;
