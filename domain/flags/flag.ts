/**
 * Feature flags, after the model of Unleash: strategies are alternatives, the constraints and segments of one must all
 * hold. The fields are the same in events, rows and on the wire.
 */
import { type Static, Type } from '@sinclair/typebox';
import { Role } from '../accounts/role.ts';
import { DateOnly, Exact, Nullable, OneOf, Tagged, Uuid } from '../core/schema.ts';

/** How clients name a flag. Never changes. */
export const FlagKey = Type.String({
  pattern: '^[\\p{L}\\p{N}][\\p{L}\\p{N}._-]{0,99}$',
  examples: ['map.new_style'],
});
const Text = Type.String({ minLength: 1, maxLength: 200 });
const Few = { maxItems: 20 };
const Many = { maxItems: 1_000 };

const operators = [
  'IN',
  'NOT_IN',
  'STR_STARTS_WITH',
  'STR_ENDS_WITH',
  'STR_CONTAINS',
  'NUM_EQ',
  'NUM_GT',
  'NUM_GTE',
  'NUM_LT',
  'NUM_LTE',
  'DATE_AFTER',
  'DATE_BEFORE',
  'SEMVER_EQ',
  'SEMVER_GT',
  'SEMVER_GTE',
  'SEMVER_LT',
  'SEMVER_LTE',
  'REGEX',
  'IN_CIDR',
] as const;
export type Operator = (typeof operators)[number];

const ContextField = Type.String({
  pattern: '^[A-Za-z][A-Za-z0-9_]{0,63}$',
  description:
    'A field of the context: `userId`, `role`, `sessionId`, `remoteAddress`, `environment`, `currentTime`, `platform`, `app_version`, `language`.',
  examples: ['platform'],
});

/** A condition on one field of the context. */
export const Constraint = Type.Object({
  context: ContextField,
  operator: OneOf(operators),
  values: Type.Array(Type.String({ maxLength: 200 }), {
    ...Many,
    description: 'Operators on numbers, dates, versions and `REGEX` take exactly one.',
  }),
  inverted: Type.Optional(Type.Boolean({ description: 'The constraint holds when the operator does not.' })),
  insensitive: Type.Optional(Type.Boolean({ description: '`STR_…` and `REGEX` ignore case.' })),
});
export type Constraint = Static<typeof Constraint>;

const Stickiness = Type.String({
  pattern: '^[A-Za-z][A-Za-z0-9_]{0,63}$',
  description:
    'The field of the context whose value always gives the same result. `default`: the user, else the session, else chance. `random`: chance.',
  examples: ['default', 'userId'],
});

export const Variant = Type.Object({
  name: Text,
  weight: Type.Integer({ minimum: 0, maximum: 1_000, description: 'Its share among the weights of all variants.' }),
  payload: Type.Optional(
    Type.Object({
      type: OneOf(['string', 'number', 'json', 'csv'] as const),
      value: Exact(Type.String({ maxLength: 10_000 })),
    }),
  ),
  stickiness: Type.Optional(Stickiness),
  overrides: Type.Optional(
    Type.Array(Type.Object({ context: ContextField, values: Type.Array(Text, Many) }), {
      ...Few,
      description: 'Whoever has one of these values gets this variant.',
    }),
  ),
});
export type Variant = Static<typeof Variant>;
const Variants = Type.Array(Variant, Few);

const Percentage = Type.Integer({ minimum: 0, maximum: 100 });
const GroupName = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 100,
    description: 'Flags with the same group reach the same people. The key by default.',
  }),
);
const common = {
  constraints: Type.Optional(Type.Array(Constraint, { ...Few, description: 'All of them must hold.' })),
  segments: Type.Optional(Type.Array(Uuid, { ...Few, description: 'The constraints of these must hold as well.' })),
  variants: Type.Optional(Type.Array(Variant, { ...Few, description: 'Instead of those of the flag.' })),
};

/** Who a flag is on for. Other names than those of Unleash: `role`, for roles of accounts. */
export const Strategy = Tagged('name', [
  Type.Object({ name: Type.Literal('default'), ...common }),
  Type.Object({ name: Type.Literal('userWithId'), users: Type.Array(Text, Many), ...common }),
  Type.Object({
    name: Type.Literal('flexibleRollout'),
    rollout: Percentage,
    stickiness: Type.Optional(Stickiness),
    group: GroupName,
    ...common,
  }),
  Type.Object({ name: Type.Literal('role'), roles: Type.Array(Role, { minItems: 1, maxItems: 20 }), ...common }),
  Type.Object({
    name: Type.Literal('remoteAddress'),
    addresses: Type.Array(Text, { ...Many, description: 'Addresses and networks: `192.168.0.0/16`.' }),
    ...common,
  }),
  Type.Object({ name: Type.Literal('gradualRolloutUserId'), rollout: Percentage, group: GroupName, ...common }),
  Type.Object({ name: Type.Literal('gradualRolloutSessionId'), rollout: Percentage, group: GroupName, ...common }),
  Type.Object({ name: Type.Literal('gradualRolloutRandom'), rollout: Percentage, ...common }),
]);
export type Strategy = Static<typeof Strategy>;

/** Another flag that must be on, or off, before this one can be on. */
export const Parent = Type.Object({
  flag: FlagKey,
  enabled: Type.Optional(Type.Boolean({ default: true })),
  variants: Type.Optional(Type.Array(Text, { ...Few, description: 'It must have one of these variants.' })),
});
export type Parent = Static<typeof Parent>;

const Condition = Type.Object({
  strategies: Type.Array(Strategy, {
    ...Few,
    description: 'The first one that applies turns the flag on. None: the flag is on for everybody.',
  }),
  parents: Type.Array(Parent, Few),
});

/** Everything about a flag but its key and its switch. */
export const FlagDefinition = Type.Object({
  description: Type.String({ maxLength: 1_000 }),
  condition: Condition,
  payload: Type.Object({ variants: Variants }),
  expires: Nullable({ ...DateOnly, description: 'From this day on, the list of flags reports it as expired.' }),
});
export type FlagDefinition = Static<typeof FlagDefinition>;

/** Whether the date has come on which it should be deleted. @param at RFC 3339 */
export const isExpiredOn = ({ expires }: Pick<FlagDefinition, 'expires'>, at: string): boolean =>
  expires !== null && expires <= at.slice(0, 10);

/** A flag as it is evaluated. `enabled` is its switch: off turns it off for everybody. */
export interface Flag extends FlagDefinition {
  readonly enabled: boolean;
}

/** Constraints that several strategies share. */
export const SegmentDefinition = Type.Object({
  name: Text,
  constraints: Type.Array(Constraint, { ...Few, minItems: 1 }),
});
export type SegmentDefinition = Static<typeof SegmentDefinition>;

/** A map that is only read. */
interface ById<T> extends Iterable<readonly [id: string, of: T]> {
  get(id: string): T | undefined;
}

/** What flags are evaluated by: flags by key, segments by id. */
export interface FlagRules {
  readonly flags: ById<Pick<Flag, 'enabled' | 'condition' | 'payload'>>;
  readonly segments: ById<Pick<SegmentDefinition, 'constraints'> & Partial<Pick<SegmentDefinition, 'name'>>>;
}
