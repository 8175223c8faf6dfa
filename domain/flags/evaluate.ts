/** Whether a flag is on for somebody, with which variant, and why. Pure: chance and time arrive in the context. */
import { constraintHolds, isInNetworks } from './constraints.ts';
import { type FlagContext, fieldOf } from './context.ts';
import type { Constraint, FlagRules, Parent, Strategy, Variant } from './flag.ts';
import { CHANCE, chancePart, rolloutPart, stickyValue, variantPart } from './stickiness.ts';

/** Of a parent that has no variant, or is off. */
const NO_VARIANT = 'disabled';

export interface CheckedConstraint {
  readonly constraint: Constraint;
  /** The segment that it belongs to; null: the strategy itself. */
  readonly segment: string | null;
  /** What the context has; null: nothing. */
  readonly value: string | null;
  readonly holds: boolean;
}
/** What the check of one strategy found. */
export interface CheckedStrategy {
  readonly strategy: Strategy;
  readonly constraints: readonly CheckedConstraint[];
  /** Segments that do not exist: the strategy does not apply. */
  readonly missingSegments: readonly string[];
  /** The part of a rollout, from 1 to 100, that the person is in; null: none, or not a rollout. */
  readonly part: number | null;
  readonly applies: boolean;
}
interface CheckedParent {
  readonly parent: Parent;
  readonly holds: boolean;
}
/** What decided: `everybody` is a flag without strategies, `strategy` the last one that was checked. */
export const reasons = ['unknown_flag', 'switched_off', 'parent', 'no_strategy', 'everybody', 'strategy'] as const;
type Reason = (typeof reasons)[number];

export interface Evaluation {
  readonly enabled: boolean;
  readonly variant: Pick<Variant, 'name' | 'payload'> | null;
  readonly reason: Reason;
  readonly parents: readonly CheckedParent[];
  /** Up to the one that applies. */
  readonly strategies: readonly CheckedStrategy[];
}

const off = (reason: Reason, found: Partial<Evaluation> = {}): Evaluation => ({
  enabled: false,
  variant: null,
  parents: [],
  strategies: [],
  ...found,
  reason,
});

const partIn = (strategy: Strategy, key: string, context: FlagContext): number | null => {
  const sticky = (stickiness: string, group: string) => {
    const value = stickyValue(context, stickiness);
    if (value === CHANCE) return chancePart(context);
    return value === undefined ? null : rolloutPart(value, group);
  };
  switch (strategy.name) {
    case 'flexibleRollout':
      return sticky(strategy.stickiness ?? 'default', strategy.group ?? key);
    case 'gradualRolloutUserId':
      return sticky('userId', strategy.group ?? key);
    case 'gradualRolloutSessionId':
      return sticky('sessionId', strategy.group ?? key);
    case 'gradualRolloutRandom':
      return chancePart(context);
    case 'default':
    case 'userWithId':
    case 'role':
    case 'remoteAddress':
      return null;
  }
};

/** Whether the strategy reaches the person, apart from constraints. */
const reaches = (strategy: Strategy, part: number | null, context: FlagContext): boolean => {
  switch (strategy.name) {
    case 'default':
      return true;
    case 'userWithId':
      return context.userId !== undefined && strategy.users.includes(context.userId);
    case 'role':
      return strategy.roles.some((role) => role === context.role);
    case 'remoteAddress':
      return isInNetworks(context.remoteAddress ?? '', strategy.addresses);
    case 'flexibleRollout':
    case 'gradualRolloutUserId':
    case 'gradualRolloutSessionId':
    case 'gradualRolloutRandom':
      return part !== null && part <= strategy.rollout;
  }
};

const checkStrategy = (rules: FlagRules, key: string, strategy: Strategy, context: FlagContext): CheckedStrategy => {
  const { constraints = [], segments = [] } = strategy;
  const check = (constraint: Constraint, segment: string | null): CheckedConstraint => ({
    constraint,
    segment,
    value: fieldOf(context, constraint.context) ?? null,
    holds: constraintHolds(constraint, context),
  });
  const checked = [
    ...constraints.map((constraint) => check(constraint, null)),
    ...segments.flatMap((id) => (rules.segments.get(id)?.constraints ?? []).map((one) => check(one, id))),
  ];
  const missingSegments = segments.filter((segment) => !rules.segments.get(segment));
  const part = partIn(strategy, key, context);
  return {
    strategy,
    constraints: checked,
    missingSegments,
    part,
    applies: missingSegments.length === 0 && checked.every(({ holds }) => holds) && reaches(strategy, part, context),
  };
};

const chosen = (
  variants: readonly Variant[],
  { group, stickiness }: { readonly group: string; readonly stickiness: string },
  context: FlagContext,
): Variant | undefined => {
  const overriding = variants.find(({ overrides = [] }) =>
    overrides.some(({ context: field, values }) => values.includes(fieldOf(context, field) ?? '')),
  );
  const total = variants.reduce((sum, { weight }) => sum + weight, 0);
  if (overriding || total === 0) return overriding;
  // Without the field that decides, chance does: the flag is on, so that there must be a variant.
  const value = stickyValue(context, stickiness) ?? CHANCE;
  // Nobody in particular has a variant only where everybody has it.
  if (value === CHANCE && context.random === null) return variants.find(({ weight }) => weight === total);
  const part = variantPart(value === CHANCE ? String(context.random) : value, group, total);
  let upTo = 0;
  return variants.find(({ weight }) => {
    upTo += weight;
    return part <= upTo;
  });
};

/** The variants of the strategy that applies, else those of the flag. */
const variantFor = (
  key: string,
  variants: readonly Variant[],
  strategy: Strategy | undefined,
  context: FlagContext,
): Variant | undefined => {
  const ofStrategy = strategy?.variants ?? [];
  const [first] = ofStrategy.length > 0 ? ofStrategy : variants;
  const rollout = strategy?.name === 'flexibleRollout' && ofStrategy.length > 0 ? strategy : undefined;
  const by = {
    group: rollout?.group ?? key,
    stickiness: rollout?.stickiness ?? first?.stickiness ?? 'default',
  };
  return chosen(ofStrategy.length > 0 ? ofStrategy : variants, by, context);
};

/** A parent that has parents itself never holds: so there are no cycles, and an answer needs two levels. */
const parentHolds = (rules: FlagRules, parent: Parent, context: FlagContext): boolean => {
  const found = rules.flags.get(parent.flag);
  if (!found || found.condition.parents.length > 0) return false;
  const { enabled, variant } = evaluate(rules, parent.flag, context);
  if (parent.enabled === false) return !enabled;
  const { variants = [] } = parent;
  return enabled && (variants.length === 0 || variants.includes(variant?.name ?? NO_VARIANT));
};

/** A flag that does not exist is off. */
export const evaluate = (rules: FlagRules, key: string, context: FlagContext): Evaluation => {
  const flag = rules.flags.get(key);
  if (!flag) return off('unknown_flag');
  if (!flag.enabled) return off('switched_off');
  const parents = flag.condition.parents.map((parent) => ({ parent, holds: parentHolds(rules, parent, context) }));
  if (parents.some(({ holds }) => !holds)) return off('parent', { parents });

  const strategies: CheckedStrategy[] = [];
  for (const strategy of flag.condition.strategies) {
    const checked = checkStrategy(rules, key, strategy, context);
    strategies.push(checked);
    if (checked.applies) break;
  }
  const applying = strategies.at(-1)?.applies ? strategies.at(-1)?.strategy : undefined;
  if (flag.condition.strategies.length > 0 && !applying) return off('no_strategy', { parents, strategies });
  const variant = variantFor(key, flag.payload.variants, applying, context);
  return {
    enabled: true,
    variant: variant ? { name: variant.name, ...(variant.payload && { payload: variant.payload }) } : null,
    reason: applying ? 'strategy' : 'everybody',
    parents,
    strategies,
  };
};
