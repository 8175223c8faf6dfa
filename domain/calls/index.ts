/** The domain manifest of this module. */
import { call } from './call.ts';
import { line } from './line.ts';

export const calls = { aggregates: [call, line] } as const;
