import { DAY_MS, MINUTE_MS } from '../core/instants.ts';

/** Why a gate stays closed. The first reason in this order is told. */
export const passReasons = [
  'replaced',
  'refunded',
  'blocked',
  'not_yet_valid',
  'expired',
  'wrong_area',
  'spent',
  'passback',
  'clock',
] as const;
export type PassReason = (typeof passReasons)[number];

/** How long one pass opens no second gate, in milliseconds. */
export const PASSBACK_MS = 5 * MINUTE_MS;

/**
 * How long a gate without a connection may take to tell its scans, in milliseconds: until then the refund of a pass that
 * could be scanned is not fixed.
 */
export const SETTLE_MS = DAY_MS;

/** A gate whose clock differs by more, in milliseconds, may have recorded a wrong date. */
export const MAX_SKEW_MS = 5 * MINUTE_MS;

/** Tells the guest what can be done. */
export const reasonDetails: Readonly<Record<PassReason, string>> = {
  replaced: 'A newer code was issued for this pass. Open the pass in the app and show the newest code.',
  refunded: 'This pass was given back. Buy a new one.',
  blocked: 'This pass is blocked. Go to the ticket office.',
  not_yet_valid: 'This pass is not valid yet. Come back on its first valid date.',
  expired: 'This pass is no longer valid. Buy a new one.',
  wrong_area: 'This pass does not open the gates of this area. Use another lift, or buy a pass for this area.',
  spent: 'Everything on this pass is used. Buy a new one.',
  passback: 'This pass was used less than 5 minutes ago. Wait, and show the code again.',
  clock: 'The clock of the gate is wrong. Show the code at another gate.',
};
