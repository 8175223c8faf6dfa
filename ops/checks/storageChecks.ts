/** Whether backups are taken, and kept apart from the data, as are the tombstones. */
import { realpathSync } from 'node:fs';
import path from 'node:path';
import type { Finding } from './check.ts';
import { unlessWithout, unset } from './dispensable.ts';
import { type Given, type SettingsCheck, settingOf } from './settingsCheck.ts';

/** Where the path leads, links followed as far as it exists. */
const realPath = (given: string): string => {
  const absolute = path.resolve(given);
  try {
    return realpathSync(absolute);
  } catch {
    const parent = path.dirname(absolute);
    return parent === absolute ? absolute : path.join(realPath(parent), path.basename(absolute));
  }
};
const isInside = (inner: string, outer: string): boolean => {
  const relative = path.relative(realPath(outer), realPath(inner));
  return relative.split(path.sep)[0] !== '..' && !path.isAbsolute(relative);
};

/** Where a folder is inside of another one that is emptied, restored or lost as a whole. */
const folderInside = (given: Given, inner: string, outer: string): Finding[] => {
  const [one, other] = [settingOf(given, inner), settingOf(given, outer)];
  return typeof one === 'string' && typeof other === 'string' && isInside(one, other)
    ? [{ wrong: `${inner} is inside of ${outer} (${other})`, toDo: `Set ${inner} to a folder on storage of its own` }]
    : [];
};

export const storageChecks: readonly SettingsCheck[] = [
  {
    name: 'tombstones',
    asks: 'Are the tombstones outside of what a restore replaces?',
    mayHappen: 'a restore empties that folder, and brings back whoever was erased',
    find: (given) => folderInside(given, 'TOMBSTONES_DIR', 'DATA_DIR'),
  },
  {
    name: 'backup_beside_data',
    asks: 'Are the backups apart from the data?',
    mayHappen: 'whatever destroys the data destroys the backups, too',
    find: (given) => folderInside(given, 'BACKUP_DIR', 'DATA_DIR'),
  },
  {
    name: 'backup',
    asks: 'Are backups taken?',
    mayHappen: 'a lost disk is the end of all bookings and of the money that is owed',
    find: unlessWithout('backup', unset('BACKUP_DIR', 'no backups are taken')),
  },
];
