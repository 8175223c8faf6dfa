/** The addresses in settings. */
import { endpointOf } from '../../infra/endpoints.ts';
import type { Given } from './settingsCheck.ts';

const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
};

/** The addresses in settings that are in use, those inside of JSON included. */
export const addressesIn = (given: Given) =>
  Object.entries(given.declarations)
    .filter(
      ([name, { neededBy }]) => !name.startsWith('SANDBOX_') && (!neededBy || given.values[neededBy] !== undefined),
    )
    .flatMap(([setting]) =>
      textsIn(given.values[setting]).flatMap((text) => {
        const endpoint = endpointOf(text);
        return endpoint === undefined ? [] : [{ setting, endpoint }];
      }),
    );

/** Each setting once. */
export const bySetting = <T extends { readonly setting: string }>(found: readonly T[]): T[] => [
  ...new Map(found.map((each) => [each.setting, each])).values(),
];
