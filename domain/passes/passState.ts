/** The state of one pass, what its events make of it, and what it was. It is bounded, and has nothing personal. */
import { type Static, Type } from '@sinclair/typebox';
import { type Decider, snapshot } from '../core/decider.ts';
import { isAfter, isBefore } from '../core/instants.ts';
import { markOf, NO_WORDS, WordsMark } from '../core/saidBefore.ts';
import { DateOnly, Instant, Minor, Nullable, OneOf, Uuid } from '../core/schema.ts';
import { type PassEvent, passEnders, SoldPass } from './passEvents.ts';
import { passReasons } from './refusalReasons.ts';

/** A pass was given back: no gate opens any more. */
const Ended = Type.Object({
  by: OneOf(passEnders),
  /** How many unused units can be refunded at most. */
  units: Type.Integer({ minimum: 0 }),
  /** When scans of gates without a connection can no longer come, so that the refund is fixed. */
  settlesAt: Instant,
  /** When it was given back; null: an earlier release has not kept it. */
  at: Nullable(Instant),
  /** Why. */
  words: WordsMark,
});

/** A code of the pass. */
const Issued = Type.Object({ serial: Type.Integer({ minimum: 1 }), at: Nullable(Instant) });
/** From when until when it was blocked; null: not known, or not over. */
const Block = Type.Object({ from: Nullable(Instant), to: Nullable(Instant), isOver: Type.Boolean() });

/** A scan that was recorded, for its repetitions. */
const Answered = Type.Object({
  id: Type.String(),
  /** Whether somebody passed, and with which conflict or refusal. */
  passed: Type.Boolean(),
  reason: Nullable(OneOf(passReasons)),
});

const Open = Type.Object({
  status: Type.Literal('open'),
  ...SoldPass.properties,
  /** Of the newest issued code; older codes open no gate. 0: none. */
  serial: Type.Integer({ minimum: 0 }),
  /** The public key of the phone that shows the code; null: a printed code. */
  deviceKey: Nullable(Type.String()),
  /** The newest codes, for passages that become known later. */
  codes: Type.Array(Issued),
  photoId: Nullable(Uuid),
  blocked: Type.Boolean(),
  /** The newest times in which it was blocked, for passages that become known later. */
  blocks: Type.Array(Block),
  /** What blocks it now: chargebacks by their ids, and `admin`. */
  blockedFor: Type.Array(Type.String()),
  /** Why an admin blocked it the last time. */
  blockWords: WordsMark,
  /** The newest chargebacks that blocked it, also if somebody has unblocked it since. */
  chargebacks: Type.Array(Uuid),
  /** How often somebody has unblocked it. */
  unblocks: Type.Integer({ minimum: 0 }),
  /** The dates with a passage that used a unit, or that were free because the mountain closed. Ascending. */
  days: Type.Array(DateOnly),
  /** The first passage of hours that are running; otherwise of the newest day. */
  startedAt: Nullable(Instant),
  /** The newest passages, in milliseconds since 1970. */
  passages: Type.Array(Type.Number()),
  scans: Type.Array(Answered),
  ended: Nullable(Ended),
  /** Units and money of the refund, once they are fixed. */
  settled: Nullable(Type.Object({ units: Type.Integer(), refundMinor: Minor })),
  cardReturned: Type.Boolean(),
});
export type OpenPass = Readonly<Static<typeof Open>>;

const State = Type.Union([Type.Object({ status: Type.Literal('none') }), Open]);
export type Pass = Readonly<Static<typeof State>>;

export const passSnapshot = snapshot<Pass, typeof State>({
  version: 6,
  packed: State,
  pack: (state) => state,
  unpack: (packed) => packed,
  marksAreOf: (state) => (state.status === 'none' ? null : state.userId),
}) satisfies Decider<Pass, never, never>['snapshot'];

/** Repetitions of older scans are recognised by their day only, and use nothing. */
export const KEPT_SCANS = 200;
const KEPT_PASSAGES = 50;
const KEPT_CHARGEBACKS = 20;
const KEPT_CODES = 20;
const KEPT_BLOCKS = 20;

const answered = (
  { scans }: OpenPass,
  id: string,
  passed: boolean,
  reason: OpenPass['scans'][number]['reason'],
): OpenPass['scans'] => [...scans.slice(1 - KEPT_SCANS), { id, passed, reason }];

const earlier = (a: string | null, b: string): string => (a !== null && isBefore(a, b) ? a : b);

const afterPassage = (state: OpenPass, { data }: Extract<PassEvent, { type: 'PassScanned' }>): OpenPass => {
  const { scanId, scannedAt, day, startsDay, conflict } = data;
  const isNewest = (state.days.at(-1) ?? '') <= day;
  const startedAt = startsDay ? scannedAt : earlier(state.startedAt, scannedAt);
  return {
    ...state,
    days: startsDay && !state.days.includes(day) ? [...state.days, day].toSorted() : state.days,
    startedAt: isNewest ? startedAt : state.startedAt,
    passages: [...state.passages.slice(1 - KEPT_PASSAGES), Date.parse(scannedAt)],
    scans: answered(state, scanId, true, conflict),
  };
};

export const evolve = (state: Pass, event: PassEvent): Pass => {
  if (event.type === 'PassSold')
    return {
      status: 'open',
      ...event.data,
      serial: 0,
      deviceKey: null,
      codes: [],
      photoId: null,
      blocked: false,
      blocks: [],
      blockedFor: [],
      blockWords: NO_WORDS,
      chargebacks: [],
      unblocks: 0,
      days: [],
      startedAt: null,
      passages: [],
      scans: [],
      ended: null,
      settled: null,
      cardReturned: false,
    };
  if (state.status === 'none') return state;
  switch (event.type) {
    case 'PassIssued': {
      const { serial, deviceKey, at = null } = event.data;
      return { ...state, serial, deviceKey, codes: [...state.codes.slice(1 - KEPT_CODES), { serial, at }] };
    }
    case 'PassHolderChanged':
      return { ...state, photoId: event.data.photoId };
    case 'PassScanned':
      return afterPassage(state, event);
    case 'PassScanRefused':
      return { ...state, scans: answered(state, event.data.scanId, false, event.data.reason) };
    case 'PassBlocked': {
      const { chargebackId, at = null } = event.data;
      const blocks = state.blocked
        ? state.blocks
        : [...state.blocks.slice(1 - KEPT_BLOCKS), { from: at, to: null, isOver: false }];
      const chargebacks = chargebackId
        ? [...state.chargebacks.slice(1 - KEPT_CHARGEBACKS), chargebackId]
        : state.chargebacks;
      const blockedFor = [...state.blockedFor.slice(1 - KEPT_CHARGEBACKS), chargebackId ?? 'admin'];
      const blockWords = chargebackId ? state.blockWords : markOf(event.data.reason);
      return { ...state, blocked: true, blocks, blockedFor, blockWords, chargebacks };
    }
    case 'PassUnblocked': {
      const { at: to = null } = event.data;
      const blocks = state.blocks.map((block) => (block.isOver ? block : { ...block, to, isOver: true }));
      return { ...state, blocked: false, blocks, blockedFor: [], unblocks: state.unblocks + 1 };
    }
    case 'PassGivenBack': {
      const { by, units, settlesAt, reason, at = null } = event.data;
      return { ...state, ended: { by, units, settlesAt, at, words: markOf(reason) } };
    }
    case 'PassRefundSettled':
      return { ...state, settled: event.data };
    case 'PassCardReturned':
      return { ...state, cardReturned: true };
  }
};

/** Whether something had happened at an instant. What an earlier release kept no time of had. */
const had = (happened: string | null, at: string): boolean => happened === null || !isAfter(happened, at);

/** The newest code at an instant. A code that was shown was issued, whatever the clock of the gate says. */
const serialAt = ({ serial, codes }: OpenPass, at: string, shown: number | null): number => {
  const since = codes.filter((code) => !had(code.at, at));
  if (since.length === 0) return serial;
  const before = Math.min(...since.map((code) => code.serial)) - 1;
  return shown !== null && shown <= serial ? Math.max(before, shown) : before;
};

/**
 * The pass as it was at an instant: passages of gates without a connection become known later, and are judged by the state
 * at their time. It has the newest code of then, and whether it was blocked or given back. Units are counted as they are
 * now, because more than were paid for are never used; and once the refund is fixed, a passage that it does not know of is
 * one that people look at.
 * @param at RFC 3339 @param shown the serial of the code that was shown
 */
export const passAt = (pass: OpenPass, at: string, shown: number | null): OpenPass => ({
  ...pass,
  serial: serialAt(pass, at, shown),
  blocked: pass.blocks.some(({ from, to, isOver }) => had(from, at) && !(isOver && had(to, at))),
  ended: pass.ended && (pass.settled !== null || had(pass.ended.at, at)) ? pass.ended : null,
});
