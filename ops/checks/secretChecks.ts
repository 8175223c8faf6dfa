/** Whether secrets are one's own and hard to guess. */
import { equalSecrets, FORMER_KEYS, weakSecrets, wellKnownSecrets } from './secrets.ts';
import type { SettingsCheck } from './settingsCheck.ts';

/** What to do about a secret that others know. `label` is the setting, or a password in its address. */
const replacement = (setting: string, label: string, isChosen: boolean): string => {
  if (label !== setting)
    return `Give that user another password there, and set it here (${setting}; $ needs single quotes)`;
  return isChosen
    ? `Set ${setting} to a random text (resort init makes them, or openssl rand -base64 32)`
    : `Set ${setting} to what its provider gave you`;
};

export const secretChecks: readonly SettingsCheck[] = [
  {
    name: 'secrets_known',
    asks: 'Is every secret one of your own?',
    mayHappen:
      'it is in the source, or in many examples, and whoever knows it can sign in as anybody or read everything',
    find: ({ declarations, values }) =>
      wellKnownSecrets(declarations, values).map(({ setting, label }) => ({
        wrong:
          values[setting] === declarations[setting]?.dev
            ? `${label} is not set, and its default is known to everybody`
            : `${label} is known to everybody`,
        toDo: replacement(setting, label, Boolean(declarations[setting]?.chosen)),
      })),
  },
  {
    name: 'secrets_weak',
    asks: 'Is every secret hard to guess?',
    mayHappen: 'it can be found by trying',
    find: ({ declarations, values }) =>
      weakSecrets(declarations, values)
        .filter(({ setting }) => !FORMER_KEYS.includes(setting))
        .map(({ setting, label }) => ({
          wrong: `${label} is easy to guess`,
          toDo: replacement(setting, label, Boolean(declarations[setting]?.chosen)),
        })),
  },
  {
    name: 'secrets_equal',
    asks: 'Does every secret have a text of its own?',
    mayHappen: 'whoever learns one of them has all of them',
    find: ({ declarations, values }) =>
      equalSecrets(declarations, values).map((labels) => ({
        wrong: `${labels.join(' and ')} are the same text`,
        toDo: 'Set each to a random text of its own',
      })),
  },
];

export const formerKeyChecks: readonly SettingsCheck[] = [
  {
    name: 'former_keys_weak',
    asks: 'Were the former keys of the vault hard to guess?',
    mayHappen: 'whoever has a copy of the database finds phone numbers and addresses by trying',
    find: ({ declarations, values }) =>
      weakSecrets(declarations, values)
        .filter(({ setting }) => FORMER_KEYS.includes(setting))
        .map(({ label }) => ({ wrong: `${label} is easy to guess`, toDo: 'Keep the database and its backups apart' })),
  },
];
