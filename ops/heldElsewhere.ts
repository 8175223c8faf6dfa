/** Everything that is held about people outside of tables: what modules declare, and what processes and operators keep. */
import { moduleHoldings } from '../commands/modules.ts';
import type { HeldElsewhere } from '../infra/holding.ts';
import { changesHeld } from '../projections/engine/changes.ts';

const operating = {
  purpose: 'run the system, and find faults and attacks',
  basis: 'interest',
  seenBy: ['admins'],
} as const;

const processes: readonly HeldElsewhere[] = [
  {
    what: 'keys of people, states of aggregates, and what the API and the hub keep ready',
    where: 'memory',
    why: { ...operating, seenBy: ['nobody'] },
    kept: { until: 'it is displaced, changes, or the process ends' },
    exported: 'no: copies',
    erased: 'every process is told (`ERASED_CHANNEL`) and forgets the key and all states',
  },
  {
    what: 'log lines of processes, in which secrets, names, addresses and texts are redacted; the security log has addresses and ids of accounts',
    where: 'logs',
    why: operating,
    kept: { until: 'whoever collects them deletes them: 30 days are enough' },
    exported: 'no: ids and addresses only',
    erased: 'not before that',
  },
  {
    what: 'backups: the log with encrypted texts, the schema `ops` with the keys of people, and files',
    where: 'backups',
    why: operating,
    kept: { until: '`BACKUP_KEEP` newer sets exist, and copies elsewhere are deleted' },
    exported: 'no: copies',
    erased: 'by the tombstone, whenever a set is restored; the set itself goes when its time is over',
  },
  {
    what: 'tombstones: ids of erased people, with the time',
    where: 'backups',
    why: { ...operating, purpose: 'erase again whom a restored backup brings back', basis: 'law' },
    kept: { always: 'as long as any backup may be restored' },
    exported: 'no: it is about people who have no account any more',
    erased: 'it is what is left of the erasure',
  },
];

export const heldElsewhere: readonly HeldElsewhere[] = [changesHeld, ...processes, ...moduleHoldings];
