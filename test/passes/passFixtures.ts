/** A pass for three days of five in March, for specs to vary. */
import type { OpenPass } from '../../domain/passes/pass.ts';
import { pass } from '../../domain/passes/pass.ts';
import type { PassEvent, Scan, SoldPass } from '../../domain/passes/passEvents.ts';
import { GUEST, id } from '../bookings/bookingFixtures.ts';
import { specification } from '../kit/given.ts';
import { PRODUCT, PURCHASE } from '../purchases/productFixtures.ts';

export const PASS = id(30);
export const givenPass = specification(pass);

/** `moscow(8, '09:30')` → half past nine of 8 March 2026 in Moscow. */
export const moscow = (day: number, time: string): string =>
  new Date(`2026-03-${String(day).padStart(2, '0')}T${time}:00+03:00`).toISOString();

export const soldPass: SoldPass = {
  purchaseId: PURCHASE,
  userId: GUEST,
  number: 1,
  tariffId: PRODUCT,
  tariffName: 'Three days, adult',
  ageGroup: 'adult',
  unit: 'day',
  count: 3,
  validFrom: '2026-03-08',
  validTo: '2026-03-12',
  startsAt: moscow(8, '00:00'),
  timezone: 'Europe/Moscow',
  areas: [],
  refundsUnused: true,
  currency: 'RUB',
  priceMinor: 10_000,
  depositMinor: 0,
  soldAt: moscow(1, '12:00'),
};
/** What the first passage says of that pass. */
export const thatPass = { purchaseId: PURCHASE, number: 1, tariffName: 'Three days, adult' };
export const sold = (more: Partial<SoldPass> = {}): PassEvent => ({ type: 'PassSold', data: { ...soldPass, ...more } });
export const issued: PassEvent = { type: 'PassIssued', data: { serial: 1, deviceKey: null } };

let scans = 100;
export const scanAt = (scannedAt: string, more: Partial<Scan> = {}): Scan => {
  scans += 1;
  return { scanId: id(scans), gateId: 'gate-1', liftId: null, area: null, scannedAt, skewMs: 0, ...more };
};

/** A command of a gate that has read the first code. */
export const scanning = (scannedAt: string, more: Partial<Scan> = {}) =>
  ({ type: 'ScanPass', scan: scanAt(scannedAt, more), serial: 1, closed: [] }) as const;
export const telling = (scannedAt: string, more: Partial<Scan> = {}) =>
  ({
    ...scanning(scannedAt, more),
    type: 'RecordScan',
    passed: true,
    reason: null,
    clockIsWrong: false,
  }) as const;

/** The state after some commands. */
export const stateAfter = (
  events: readonly PassEvent[],
  ...commands: readonly Parameters<typeof pass.decide>[0][]
): OpenPass => {
  const state = commands.reduce(
    (before, command) => pass.decide(command, before).reduce(pass.evolve, before),
    givenPass(events).state,
  );
  if (state.status === 'none') throw new Error('there is no pass');
  return state;
};
