/** The parts that production may lack, and checks of whether they are there. */
import { type Given, listOf, type SettingsCheck, settingOf } from './settingsCheck.ts';

/** What an installation can do without, if whoever runs it says so (`PRODUCTION_WITHOUT`). */
export const DISPENSABLE = ['sms', 'mail', 'backup', 'limits'] as const;
type Dispensable = (typeof DISPENSABLE)[number];

const goesWithout = (given: Given, what: Dispensable): boolean => listOf(given, 'PRODUCTION_WITHOUT').includes(what);
export const unlessWithout =
  (what: Dispensable, find: SettingsCheck['find']): SettingsCheck['find'] =>
  (given) =>
    goesWithout(given, what)
      ? []
      : find(given).map((found) => ({ ...found, toDo: `${found.toDo}, or ${leave(what)}` }));
const leave = (what: Dispensable): string => `add ${what} to PRODUCTION_WITHOUT to do without`;

export const unset =
  (setting: string, what: string): SettingsCheck['find'] =>
  (given) =>
    settingOf(given, setting) === undefined
      ? [{ wrong: `${setting} is not set: ${what}`, toDo: `Set ${setting}` }]
      : [];
