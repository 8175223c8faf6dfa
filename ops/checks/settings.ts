/**
 * The checks of settings. Those under `refusedAlways` end every start; those under `refused` end it in production, because
 * data, money or privacy could be lost; the others are warnings. `ops/config.ts` runs them at each start, `resort check` shows them.
 */
import { addressChecks, developmentChecks } from './addressChecks.ts';
import { sandboxChecks } from './sandboxChecks.ts';
import { formerKeyChecks, secretChecks } from './secretChecks.ts';
import { operatorChecks, serviceChecks } from './serviceChecks.ts';
import type { SettingsCheck } from './settingsCheck.ts';
import { storageChecks } from './storageChecks.ts';
import { completenessChecks, nameHints, unusedChecks } from './togetherChecks.ts';

export const refusedAlways: readonly SettingsCheck[] = completenessChecks;

/** In the order in which they are told. */
export const refused: readonly SettingsCheck[] = [
  ...secretChecks,
  ...sandboxChecks,
  ...addressChecks,
  ...storageChecks,
  ...serviceChecks,
];

export const warned: readonly SettingsCheck[] = [
  ...operatorChecks,
  ...formerKeyChecks,
  ...developmentChecks,
  ...unusedChecks,
  ...nameHints,
];
