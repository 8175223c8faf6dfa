/**
 * What those who judge keep of something that was reported, or that a moderator has removed, whatever its author does to it:
 * `evidence-<derived from the subject>`. It has a copy of what it said each time it was reported, and ends `EVIDENCE_DAYS`
 * after everything about it was answered.
 */
import { type Static, Type } from '@sinclair/typebox';
import type { Decider, EventDeclarations, EventsOf } from '../core/decider.ts';
import { markOf, NO_WORDS, type WordsMark } from '../core/saidBefore.ts';
import { Nullable, Personal, Uuid } from '../core/schema.ts';
import { Subject } from './report.ts';

/** Reports of one thing that are remembered as open. An admin who removes it answers all of them at once. */
const MAX_OPEN = 1_000;

const evidenceEvents = {
  /** `reportId` null: a moderator has removed it. `text` null: it has none, or the same as before. */
  EvidenceKept: {
    data: Type.Object({
      subject: Subject,
      authorId: Uuid,
      reportId: Nullable(Uuid),
      text: Nullable(Personal(Type.String())),
    }),
    person: 'authorId',
  },
  EvidenceSettled: { data: Type.Object({ reportId: Uuid }) },
  /** The copies are gone, and so is what its module has kept for those who judge. */
  EvidenceEnded: { data: Type.Object({ subject: Subject }) },
} as const satisfies EventDeclarations;
export type EvidenceEvent = EventsOf<typeof evidenceEvents>;
type Kept = Readonly<Static<typeof evidenceEvents.EvidenceKept.data>>;

export type EvidenceCommand =
  | ({ readonly type: 'KeepEvidence' } & Kept)
  | { readonly type: 'SettleEvidence'; readonly reportId: string }
  | { readonly type: 'EndEvidence' };

export type Evidence =
  | { readonly status: 'none' }
  | {
      readonly status: 'kept' | 'ended';
      readonly subject: Subject;
      readonly authorId: string;
      /** Reports that wait for an answer. */
      readonly open: readonly string[];
      /** What it said the last time. */
      readonly words: WordsMark;
    };

const keep = ({ type, ...data }: { type: 'KeepEvidence' } & Kept, state: Evidence): EvidenceEvent[] => {
  const isKept = state.status === 'kept';
  const text = isKept && data.text !== null && markOf(data.text) === state.words ? null : data.text;
  const isKnown = isKept && (data.reportId === null || state.open.includes(data.reportId));
  return isKnown && text === null ? [] : [{ type: 'EvidenceKept', data: { ...data, text } }];
};

const decide = (command: EvidenceCommand, state: Evidence): EvidenceEvent[] => {
  switch (command.type) {
    case 'KeepEvidence':
      return keep(command, state);
    case 'SettleEvidence': {
      const { reportId } = command;
      const isOpen = state.status === 'kept' && state.open.includes(reportId);
      return isOpen ? [{ type: 'EvidenceSettled', data: { reportId } }] : [];
    }
    case 'EndEvidence':
      return state.status === 'kept' && state.open.length === 0
        ? [{ type: 'EvidenceEnded', data: { subject: state.subject } }]
        : [];
  }
};

const evolve = (state: Evidence, event: EvidenceEvent): Evidence => {
  switch (event.type) {
    case 'EvidenceKept': {
      const { subject, authorId, reportId, text } = event.data;
      const before = state.status === 'kept' ? state : { open: [], words: NO_WORDS };
      const others = before.open.filter((id) => id !== reportId);
      const open = reportId === null ? others : [...others, reportId].slice(-MAX_OPEN);
      return { status: 'kept', subject, authorId, open, words: text === null ? before.words : markOf(text) };
    }
    case 'EvidenceSettled':
      if (state.status === 'none') return state;
      return { ...state, open: state.open.filter((id) => id !== event.data.reportId) };
    case 'EvidenceEnded':
      return state.status === 'none' ? state : { ...state, status: 'ended', open: [], words: NO_WORDS };
  }
};

export const evidence: Decider<Evidence, EvidenceCommand, EvidenceEvent> = {
  category: 'evidence',
  short: 'it ends when everything about it is answered',
  events: evidenceEvents,
  initial: { status: 'none' },
  decide,
  evolve,
};
