/** The write-side manifest of this module. */
import type { CommandModule } from '../core/module.ts';
import { connectFlags } from './connect.ts';

export const flags = { connect: connectFlags } as const satisfies CommandModule;
