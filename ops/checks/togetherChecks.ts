/** Whether settings that belong together are all set, under names that exist. */
import { editDistance } from '../../infra/editDistance.ts';
import { groupBy } from '../../infra/groupBy.ts';
import type { Finding } from './check.ts';
import { type Given, isGiven, type SettingsCheck } from './settingsCheck.ts';

/** Whoever runs the installation has set it, and to something else than its default. */
const isSet = (given: Given, name: string): boolean =>
  isGiven(given, name) && given.values[name] !== given.declarations[name]?.default;

const listed = (names: readonly string[]): string => names.join(', ').replace(/, (\w+)$/, ' and $1');

const incomplete = (given: Given): Finding[] => {
  const lacking = Object.entries(given.declarations).flatMap(([name, schema]) => {
    const needs: readonly string[] = schema.needs ?? [];
    const missing = isSet(given, name) ? needs.filter((other) => !isSet(given, other)) : [];
    return missing.length === 0 ? [] : [{ name, missing }];
  });
  return [...groupBy(lacking, ({ missing }) => [...missing].sort().join()).values()].map((group) => {
    const names = listed(group.map(({ name }) => name));
    const missing = listed(group[0]?.missing ?? []);
    return {
      wrong: `${names} without ${missing}`,
      toDo: `Set ${missing} as well, or remove ${names}`,
    };
  });
};

const unused = (given: Given): Finding[] =>
  Object.entries(given.declarations)
    .filter(([name, { neededBy }]) => neededBy && isSet(given, name) && !isSet(given, neededBy))
    .map(([name, { neededBy }]) => ({
      wrong: `${name} without ${neededBy}`,
      toDo: `Set ${neededBy} as well, or remove ${name}`,
    }));

/** So many letters may be wrong in a name. */
const MISSPELT = 2;

/** Names of the environment that are a setting but for a letter or two, where that setting itself is not set. */
const misspelt = (given: Given): Finding[] => {
  const unsetNames = Object.keys(given.declarations).filter((name) => !given.env[name]?.trim());
  return Object.keys(given.env)
    .filter((name) => !(name in given.declarations))
    .flatMap((name) => {
      const meant = unsetNames.find((other) => other.length > 3 * MISSPELT && isMisspelt(name, other));
      return meant === undefined
        ? []
        : [
            {
              wrong: `${name} is no setting, and ${meant} is not set`,
              toDo: `Call it ${meant}, if that is what it is`,
            },
          ];
    });
};
const isMisspelt = (name: string, setting: string): boolean =>
  Math.abs(name.length - setting.length) <= MISSPELT && editDistance(name.toUpperCase(), setting) <= MISSPELT;

/** They end the start everywhere: what is half set does nothing, in development as well. */
export const completenessChecks: readonly SettingsCheck[] = [
  {
    name: 'incomplete',
    asks: 'Are settings that belong together all set?',
    mayHappen: 'one does nothing without the other',
    find: incomplete,
  },
];

export const unusedChecks: readonly SettingsCheck[] = [
  {
    name: 'unused',
    asks: 'Is every setting used?',
    mayHappen: 'it does nothing',
    find: (given) => (given.values.NODE_ENV === 'production' ? unused(given) : []),
  },
];

/** Warnings, which are told beside every refusal, too. */
export const nameHints: readonly SettingsCheck[] = [
  {
    name: 'misspelt',
    asks: 'Are the names of settings spelt right?',
    mayHappen: 'it does nothing, and the default is used',
    find: misspelt,
  },
];
