/** What a person wants to reach in a week or a season. All targets of one account are one stream. */
import { type Static, Type } from '@sinclair/typebox';
import { type Decider, type EventDeclarations, type EventsOf, notFound } from '../core/decider.ts';
import { OneOf, Uuid } from '../core/schema.ts';

const targetMetrics = ['vertical', 'distance', 'runs', 'days'] as const;
const targetPeriods = ['week', 'season'] as const;

/** Metres of vertical and distance, a number of runs and days. One account has one target for a metric and period. */
export const Target = Type.Object({
  metric: OneOf(targetMetrics),
  period: OneOf(targetPeriods),
  value: Type.Integer({ minimum: 1, maximum: 100_000_000, description: 'Metres; a number of runs or days.' }),
});
export type Target = Static<typeof Target>;

/** Whole percent, rounded down: 100 is reached. It multiplies first, so that no fraction of a percent is lost. */
export const progressPct = ({ value }: Pick<Target, 'value'>, reached: number): number =>
  Math.min(100, Math.floor((reached * 100) / value));

const targetEvents = {
  /** Again with the same id: with another value. */
  TrackingTargetSet: { data: Type.Object({ targetId: Uuid, ...Target.properties }) },
  TrackingTargetRemoved: { data: Type.Object({ targetId: Uuid }) },
} as const satisfies EventDeclarations;
export type TargetEvent = EventsOf<typeof targetEvents>;

export type TargetCommand =
  /** `targetId`: follows from the account, the metric and the period. */
  | ({ readonly type: 'SetTarget'; readonly targetId: string } & Target)
  | { readonly type: 'RemoveTarget'; readonly targetId: string };

/** Id → value; null: it was removed. */
export type Targets = Readonly<Record<string, number | null>>;

const decide = (command: TargetCommand, state: Targets): TargetEvent[] => {
  const known = state[command.targetId];
  switch (command.type) {
    case 'SetTarget': {
      const { type, ...data } = command;
      return known === data.value ? [] : [{ type: 'TrackingTargetSet', data }];
    }
    case 'RemoveTarget':
      if (known === undefined) throw notFound('target');
      return known === null ? [] : [{ type: 'TrackingTargetRemoved', data: { targetId: command.targetId } }];
  }
};

const evolve = (state: Targets, event: TargetEvent): Targets => {
  switch (event.type) {
    case 'TrackingTargetSet':
      return { ...state, [event.data.targetId]: event.data.value };
    case 'TrackingTargetRemoved':
      return { ...state, [event.data.targetId]: null };
  }
};

export const trackingTargets: Decider<Targets, TargetCommand, TargetEvent> = {
  category: 'trackingTargets',
  short: 'a person has a target for each metric and period',
  events: targetEvents,
  initial: {},
  decide,
  evolve,
};
