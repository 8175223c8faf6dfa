/** The domain manifest of this module. */
import { call } from './call.ts';
import { line } from './line.ts';
import { callsPurpose } from './purpose.ts';

export const calls = { aggregates: [call, line], purpose: callsPurpose } as const;
