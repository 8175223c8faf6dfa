/**
 * That a person finds something wrong that others have written, and how an admin has answered. One stream for a person and
 * what they report, `report-<derived from both>`.
 */
import { type Static, Type } from '@sinclair/typebox';
import { type Decider, type EventDeclarations, type EventsOf, Rejected, requireExisting } from '../core/decider.ts';
import { markOf, saidBefore, type WordsMark } from '../core/saidBefore.ts';
import { Nullable, OneOf, Personal, ReasonText, Uuid } from '../core/schema.ts';
import type { AppealKind } from './appeal.ts';

export const reportActions = ['dismissed', 'removed'] as const;
export type ReportAction = (typeof reportActions)[number];

/**
 * What can be reported, and as what its removal is appealed; null: it cannot be removed. Stored with each report: never
 * renamed. A kind that is missing here cannot be reported, and one without an appeal or a copy does not compile.
 */
export const reportKinds = {
  chat: null,
  message: 'message',
  review: 'review',
  forum_post: 'post',
  story: 'story',
  leaderboard_name: 'leaderboard_name',
  voice_recording: 'voice_recording',
} as const satisfies Readonly<Record<string, AppealKind | null>>;
export type ReportKind = keyof typeof reportKinds;

/** As what the removal of a reported thing is appealed; undefined: not at all. */
export const appealedAs = (kind: string): AppealKind | undefined => reportKinds[kind as ReportKind] ?? undefined;

/** What is reported: `{ kind: 'message', id, within: <its thread> }`. */
export const Subject = Type.Object({
  kind: Type.String({ pattern: '^[a-z_]{1,40}$' }),
  id: Uuid,
  /** What it is part of, where its module needs that; null: nothing. */
  within: Nullable(Uuid),
});
export type Subject = Static<typeof Subject>;

const reportEvents = {
  /** Again when it is reported after it was resolved. */
  ContentReported: {
    data: Type.Object({ reporterId: Uuid, subject: Subject, reason: Personal(ReasonText) }),
    person: 'reporterId',
  },
  /** `removed`: what is reported was removed from the others' sight, in the way of its module. */
  ReportResolved: { data: Type.Object({ action: OneOf(reportActions) }) },
} as const satisfies EventDeclarations;
export type ReportEvent = EventsOf<typeof reportEvents>;

export type ReportCommand =
  | ({ readonly type: 'ReportContent' } & Static<typeof reportEvents.ContentReported.data>)
  | { readonly type: 'ResolveReport'; readonly action: ReportAction };

export type Report =
  | { readonly status: 'none' }
  | { readonly status: 'open'; readonly subject: Subject; readonly words: WordsMark }
  | {
      readonly status: 'resolved';
      readonly subject: Subject;
      /** Of the report. */
      readonly words: WordsMark;
      readonly action: ReportAction;
    };

const resolve = (action: ReportAction, state: Report): ReportEvent[] => {
  requireExisting(state, 'report');
  if (state.status === 'open') return [{ type: 'ReportResolved', data: { action } }];
  if (state.action === action) return [];
  throw new Rejected('invalid_transition', `This report was already resolved: ${state.action}.`, {
    action: state.action,
  });
};

const decide = (command: ReportCommand, state: Report): ReportEvent[] => {
  switch (command.type) {
    case 'ReportContent': {
      const { type, ...data } = command;
      if (state.status === 'open') return saidBefore('You have reported this before', state.words, data.reason);
      return [{ type: 'ContentReported', data }];
    }
    case 'ResolveReport':
      return resolve(command.action, state);
  }
};

const evolve = (state: Report, event: ReportEvent): Report => {
  switch (event.type) {
    case 'ContentReported':
      return { status: 'open', subject: event.data.subject, words: markOf(event.data.reason) };
    case 'ReportResolved':
      return state.status === 'none' ? state : { ...state, status: 'resolved', action: event.data.action };
  }
};

export const report: Decider<Report, ReportCommand, ReportEvent> = {
  category: 'report',
  short: 'one person reports one thing',
  events: reportEvents,
  initial: { status: 'none' },
  decide,
  evolve,
};
