/** The badges that there are. They are few, and all of them are one stream, so that an award reads them at once. */
import { type Static, Type } from '@sinclair/typebox';
import { type Decider, type EventDeclarations, type EventsOf, notFound, Rejected } from '../core/decider.ts';
import { differences } from '../core/differences.ts';
import { Uuid } from '../core/schema.ts';
import { BadgeRule, checkRule } from './rule.ts';

const inBoth = (maxLength: number) => {
  const text = Type.String({ minLength: 1, maxLength });
  return Type.Object({ ru: text, en: text });
};

export const Badge = Type.Object({ name: inBoth(60), description: inBoth(500), ...BadgeRule.properties });
export type Badge = Static<typeof Badge>;

const badgeEvents = {
  BadgeDefined: { data: Type.Object({ badgeId: Uuid, badge: Badge }) },
  /** People who have it keep it, whatever the rule is now. */
  BadgeChanged: { data: Type.Object({ badgeId: Uuid, badge: Badge }) },
  /** Nobody gets it any more. People who have it keep it. */
  BadgeRetired: { data: Type.Object({ badgeId: Uuid }) },
} as const satisfies EventDeclarations;
export type BadgeEvent = EventsOf<typeof badgeEvents>;

export type BadgeCommand =
  | { readonly type: 'DefineBadge' | 'ChangeBadge'; readonly badgeId: string; readonly badge: Badge }
  | { readonly type: 'RetireBadge'; readonly badgeId: string };

/** Id → the badge; null: retired. */
export type Badges = Readonly<Record<string, Badge | null>>;

export const MAX_BADGES = 200;

const decide = (command: BadgeCommand, state: Badges): BadgeEvent[] => {
  const { badgeId } = command;
  const known = state[badgeId];
  switch (command.type) {
    case 'DefineBadge':
      if (known !== undefined) return [];
      checkRule(command.badge);
      if (Object.values(state).filter((badge) => badge !== null).length >= MAX_BADGES)
        throw new Rejected('conflict', `There can be at most ${MAX_BADGES} badges. Retire another one first.`);
      return [{ type: 'BadgeDefined', data: { badgeId, badge: command.badge } }];
    case 'ChangeBadge':
      if (known === undefined) throw notFound('badge');
      if (known === null) throw new Rejected('invalid_transition', 'This badge was retired. Create a new one instead.');
      checkRule(command.badge);
      return Object.keys(differences(known, command.badge)).length === 0
        ? []
        : [{ type: 'BadgeChanged', data: { badgeId, badge: command.badge } }];
    case 'RetireBadge':
      if (known === undefined) throw notFound('badge');
      return known === null ? [] : [{ type: 'BadgeRetired', data: { badgeId } }];
  }
};

const evolve = (state: Badges, event: BadgeEvent): Badges => {
  switch (event.type) {
    case 'BadgeDefined':
    case 'BadgeChanged':
      return { ...state, [event.data.badgeId]: event.data.badge };
    case 'BadgeRetired':
      return { ...state, [event.data.badgeId]: null };
  }
};

export const badgeCatalogue: Decider<Badges, BadgeCommand, BadgeEvent> = {
  category: 'badgeCatalogue',
  short: 'people of the resort write it',
  events: badgeEvents,
  initial: {},
  decide,
  evolve,
};
