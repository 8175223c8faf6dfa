/** The badges of a person. One stream for each account, so that a badge is awarded once, whatever leads to it. */
import { type Static, Type } from '@sinclair/typebox';
import type { Decider, EventDeclarations, EventsOf } from '../core/decider.ts';
import { OneOf, Uuid } from '../core/schema.ts';
import { BadgeRule } from './rule.ts';

/** What took a badge back: a record behind it that does not count any more. Never a change of the rule. */
const revocationCauses = ['track_disqualified', 'review_hidden'] as const;
export const RevocationCause = OneOf(revocationCauses);
export type RevocationCause = Static<typeof RevocationCause>;

const holderEvents = {
  /** `rule`: that of the badge at this time. Only by this one can the badge be taken back. */
  BadgeAwarded: { data: Type.Object({ accountId: Uuid, badgeId: Uuid, rule: BadgeRule }) },
  /** It can be earned again. */
  BadgeRevoked: { data: Type.Object({ accountId: Uuid, badgeId: Uuid, cause: RevocationCause }) },
} as const satisfies EventDeclarations;
export type HolderEvent = EventsOf<typeof holderEvents>;

export type HolderCommand =
  | { readonly type: 'AwardBadge'; readonly accountId: string; readonly badgeId: string; readonly rule: BadgeRule }
  | {
      readonly type: 'RevokeBadge';
      readonly accountId: string;
      readonly badgeId: string;
      readonly cause: RevocationCause;
    };

/** Id → the rule by which it was awarded. */
export type Held = Readonly<Record<string, BadgeRule>>;

const decide = (command: HolderCommand, state: Held): HolderEvent[] => {
  const { accountId, badgeId } = command;
  const isHeld = badgeId in state;
  switch (command.type) {
    case 'AwardBadge':
      return isHeld ? [] : [{ type: 'BadgeAwarded', data: { accountId, badgeId, rule: command.rule } }];
    case 'RevokeBadge':
      return isHeld ? [{ type: 'BadgeRevoked', data: { accountId, badgeId, cause: command.cause } }] : [];
  }
};

const evolve = (state: Held, { type, data }: HolderEvent): Held => {
  switch (type) {
    case 'BadgeAwarded':
      return { ...state, [data.badgeId]: data.rule };
    case 'BadgeRevoked': {
      const { [data.badgeId]: _, ...others } = state;
      return others;
    }
  }
};

export const badgeHolder: Decider<Held, HolderCommand, HolderEvent> = {
  category: 'badgeHolder',
  short: 'a person has each badge once',
  events: holderEvents,
  initial: {},
  decide,
  evolve,
};
