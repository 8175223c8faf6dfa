/** The write-side manifest of this module. */
import type { CommandModule } from '../core/module.ts';
import { stockJob } from './stock.ts';

export const catalog = { jobs: [stockJob] } as const satisfies CommandModule;
