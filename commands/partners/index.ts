/** The write-side manifest of this module. */
import type { CommandModule } from '../core/module.ts';
import { apiKeyUsageMigrations } from './apiKeys.ts';

export const partners = { migrations: [apiKeyUsageMigrations] } as const satisfies CommandModule;
