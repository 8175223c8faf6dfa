/**
 * One ski pass of one person, `pass-<id>`: sold, issued as a code, scanned, blocked, given back. Its stream decides between
 * two gates at the same instant, and between a gate and a refund: what is being given back opens no gate, and what was
 * ridden is not refunded.
 */
import { todayIn } from '../core/dates.ts';
import { type Decider, Outdated, Rejected, requireExisting } from '../core/decider.ts';
import { addMs, hasCome, isBefore } from '../core/instants.ts';
import { saidBefore } from '../core/saidBefore.ts';
import { judge, refundableUnits, refundOf, usesUnit, type Verdict } from './admission.ts';
import type { ClosedDate } from './closures.ts';
import { isDeviceKey } from './deviceKey.ts';
import { MAX_SERIAL, type PassEvent, type passEnders, passEvents, type Scan, type SoldPass } from './passEvents.ts';
import { evolve, type OpenPass, type Pass, passAt, passSnapshot } from './passState.ts';
import { type PassReason, SETTLE_MS } from './refusalReasons.ts';

export type { OpenPass, Pass } from './passState.ts';

type Ender = (typeof passEnders)[number];

interface Judged {
  readonly type: string;
  readonly scan: Scan;
  /** Of the code; null when none was read. */
  readonly serial: number | null;
  /** The closed dates at this moment. */
  readonly closed: readonly ClosedDate[];
}

export type PassCommand =
  | ({ readonly type: 'SellPass' } & SoldPass)
  | {
      readonly type: 'IssuePass';
      readonly deviceKey: string | null;
      readonly at: string;
      /** Of a code that was lost; another one is issued. */
      readonly replaces?: number;
    }
  /** The name is not in the state, because it is personal: a repeated command writes it again. */
  | { readonly type: 'ChangeHolder'; readonly holderName: string | null; readonly photoId: string | null }
  /** A gate asks. */
  | (Judged & { readonly type: 'ScanPass' })
  /** A gate tells what happened while it had no connection. */
  | (Judged & {
      readonly type: 'RecordScan';
      readonly passed: boolean;
      /** Why the gate did not open. */
      readonly reason: PassReason | null;
      /** The clock of the gate was so wrong that the date is not certain. */
      readonly clockIsWrong: boolean;
    })
  | { readonly type: 'BlockPass'; readonly reason: string; readonly at: string }
  /** The payer's bank took money back. Once for a chargeback: an admin who unblocks the pass has decided. */
  | { readonly type: 'BlockForChargeback'; readonly chargebackId: string; readonly at: string }
  | { readonly type: 'UnblockPass'; readonly at: string }
  /** A chargeback was won. `open`: those of the same payment that were not. */
  | {
      readonly type: 'UnblockForWonChargeback';
      readonly chargebackId: string;
      readonly open: readonly string[];
      readonly at: string;
    }
  | {
      readonly type: 'GiveBackPass';
      readonly by: Ender;
      readonly reason: string | null;
      /** The whole purchase is ended: a pass that was given back before had a reason of its own. */
      readonly isPartOfPurchase?: boolean;
      readonly at: string;
    }
  /** If it is due. `returned`: what its purchase returns for it, and for how many units; absent: its share of the price. */
  | {
      readonly type: 'SettleRefund';
      readonly at: string;
      readonly returned?: { readonly units: number; readonly refundMinor: number };
    }
  | { readonly type: 'ReturnCard' };

/** The units that someone may have refunded at this moment. The system ends passes whose money is back already. */
const unitsFor = (pass: OpenPass, by: Ender, at: string): number => {
  if (by === 'system') return 0;
  const hasBegun = hasCome(pass.startsAt, at);
  if (by === 'guest' && hasBegun && !pass.refundsUnused) return 0;
  return refundableUnits(pass);
};

/** A pass without a code, or before its first day, has no scans that could still come. */
const settlesAt = (pass: OpenPass, at: string): string => {
  const canBeScanned = pass.serial > 0 && hasCome(pass.startsAt, at);
  return canBeScanned ? addMs(at, SETTLE_MS) : at;
};

const scanned = ({ scan }: Judged, pass: OpenPass, of: { isOnline: boolean; verdict: Verdict; startsDay: boolean }) => {
  const { isOnline, verdict, startsDay } = of;
  const day = todayIn(pass.timezone, scan.scannedAt);
  const { purchaseId, number, tariffName } = pass;
  const startsPass = startsDay && pass.days.length === 0 ? { purchaseId, number, tariffName } : null;
  const data = { userId: pass.userId, ...scan, isOnline, day, startsDay, startsPass, conflict: verdict.reason };
  return { type: 'PassScanned', data } as const;
};

const scan = (command: Extract<PassCommand, { type: 'ScanPass' }>, pass: OpenPass): PassEvent[] => {
  const { area, scannedAt: at } = command.scan;
  const verdict = judge(pass, { at, serial: command.serial, area }, command.closed);
  if (verdict.opens) return [scanned(command, pass, { isOnline: true, verdict, startsDay: verdict.startsDay })];
  const refused = { userId: pass.userId, ...command.scan, isOnline: true };
  return [{ type: 'PassScanRefused', data: { ...refused, reason: verdict.reason } }];
};

/** It happened: it is recorded whatever the rules say, and what was wrong with it at its time is kept. */
const record = (command: Extract<PassCommand, { type: 'RecordScan' }>, pass: OpenPass): PassEvent[] => {
  const { area, scannedAt: at } = command.scan;
  const attempt = { at, serial: command.serial, area };
  const judged = judge(passAt(pass, at, command.serial), attempt, command.closed);
  if (!command.passed) {
    const reason = command.reason ?? judged.reason ?? 'clock';
    const refused = { userId: pass.userId, ...command.scan, isOnline: false };
    return [{ type: 'PassScanRefused', data: { ...refused, reason } }];
  }
  const wrongClock: Verdict = { opens: false, reason: 'clock', startsDay: false };
  const verdict = judged.opens && command.clockIsWrong ? wrongClock : judged;
  // What is used depends on what is left now.
  const startsDay = usesUnit(pass, at, command.closed);
  return [scanned(command, pass, { isOnline: false, verdict, startsDay })];
};

const issue = (command: Extract<PassCommand, { type: 'IssuePass' }>, pass: OpenPass): PassEvent[] => {
  if (pass.ended !== null) throw new Rejected('invalid_transition', 'This pass was given back. Buy a new one.');
  const { deviceKey, replaces, at } = command;
  const isIssued = pass.serial > 0 && deviceKey === pass.deviceKey && replaces !== pass.serial;
  if (deviceKey !== null && !isDeviceKey(deviceKey))
    throw new Rejected(
      'invalid',
      'device_key is not an Ed25519 public key that only this phone can sign for: make a new pair of keys, and send the 32 bytes of the public one as base64url.',
      { fields: ['device_key'] },
    );
  if (isIssued) return [];
  if (pass.serial === MAX_SERIAL)
    throw new Rejected('conflict', 'Too many codes were issued. Go to the ticket office.');
  return [{ type: 'PassIssued', data: { serial: pass.serial + 1, deviceKey, at } }];
};

const giveBack = (command: Extract<PassCommand, { type: 'GiveBackPass' }>, pass: OpenPass): PassEvent[] => {
  const { by, reason, at } = command;
  if (pass.ended !== null)
    return command.isPartOfPurchase ? [] : saidBefore('This pass was given back before', pass.ended.words, reason);
  const data = { userId: pass.userId, by, reason, units: unitsFor(pass, by, at) };
  return [{ type: 'PassGivenBack', data: { ...data, settlesAt: settlesAt(pass, at), at } }];
};

/** How many units go back of a pass that has ended; scans that become known until its refund is fixed lower it. */
export const unitsBack = ({ settled, ended, ...of }: OpenPass): number =>
  settled?.units ?? Math.min(ended?.units ?? 0, refundableUnits(of));

/** @throws Outdated when the amount was for other units */
const settle = ({ at, returned }: Extract<PassCommand, { type: 'SettleRefund' }>, pass: OpenPass): PassEvent[] => {
  if (pass.ended === null || pass.settled !== null || isBefore(at, pass.ended.settlesAt)) return [];
  const units = unitsBack(pass);
  if (returned && returned.units !== units) throw new Outdated();
  return [{ type: 'PassRefundSettled', data: { units, refundMinor: returned?.refundMinor ?? refundOf(pass, units) } }];
};

const decide = (command: PassCommand, state: Pass): PassEvent[] => {
  if (command.type === 'SellPass') {
    const { type, ...data } = command;
    return state.status === 'none' ? [{ type: 'PassSold', data }] : [];
  }
  requireExisting(state, 'pass');
  switch (command.type) {
    case 'IssuePass':
      return issue(command, state);
    case 'ChangeHolder': {
      const { holderName, photoId } = command;
      return [{ type: 'PassHolderChanged', data: { userId: state.userId, holderName, photoId } }];
    }
    case 'ScanPass':
      return state.scans.some(({ id }) => id === command.scan.scanId) ? [] : scan(command, state);
    case 'RecordScan':
      return state.scans.some(({ id }) => id === command.scan.scanId) ? [] : record(command, state);
    case 'BlockPass': {
      const { userId, blockedFor, blockWords } = state;
      if (blockedFor.includes('admin')) return saidBefore('This pass was blocked before', blockWords, command.reason);
      return [{ type: 'PassBlocked', data: { userId, reason: command.reason, at: command.at } }];
    }
    case 'BlockForChargeback': {
      const { userId, ended, chargebacks } = state;
      const { chargebackId } = command;
      if (ended !== null || chargebacks.includes(chargebackId)) return [];
      return [{ type: 'PassBlocked', data: { userId, reason: null, chargebackId, at: command.at } }];
    }
    case 'UnblockPass':
      return state.blocked ? [{ type: 'PassUnblocked', data: { at: command.at } }] : [];
    case 'UnblockForWonChargeback': {
      const { chargebackId, open, at } = command;
      const { ended, blockedFor } = state;
      const stays = ended !== null || blockedFor.some((by) => by === 'admin' || open.includes(by));
      return stays || !blockedFor.includes(chargebackId) ? [] : [{ type: 'PassUnblocked', data: { chargebackId, at } }];
    }
    case 'GiveBackPass':
      return giveBack(command, state);
    case 'SettleRefund':
      return settle(command, state);
    case 'ReturnCard':
      if (state.depositMinor === 0)
        throw new Rejected('invalid_transition', 'No deposit was paid for a card of this pass.');
      return state.cardReturned ? [] : [{ type: 'PassCardReturned', data: { refundMinor: state.depositMinor } }];
  }
};

export const pass: Decider<Pass, PassCommand, PassEvent> = {
  category: 'pass',
  events: passEvents,
  initial: { status: 'none' },
  decide,
  evolve,
  snapshot: passSnapshot,
};
