/** What the events of a pass make of its state. */
import { isBefore } from '../core/instants.ts';
import { markOf, NO_WORDS } from '../core/saidBefore.ts';
import type { PassEvent } from './passEvents.ts';
import {
  KEPT_BLOCKS,
  KEPT_CHARGEBACKS,
  KEPT_CODES,
  KEPT_PASSAGES,
  KEPT_SCANS,
  type OpenPass,
  type Pass,
} from './passState.ts';

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
