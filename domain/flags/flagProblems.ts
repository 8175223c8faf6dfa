/** What makes a flag or a segment impossible: it would never do what its author means. */
import { Rejected } from '../core/decider.ts';
import { constraintProblem, isInNetworks } from './constraints.ts';
import type { Constraint, FlagDefinition, FlagRules, Strategy, Variant } from './flag.ts';

const refuse = (detail: string): never => {
  throw new Rejected('invalid', detail);
};

/** @throws Rejected `invalid` */
export const checkConstraints = (constraints: readonly Constraint[]): void => {
  for (const constraint of constraints) {
    const problem = constraintProblem(constraint);
    if (problem) refuse(`The constraint on ${constraint.context}: ${problem}`);
  }
};

const checkPayload = ({ name, payload }: Variant): void => {
  if (payload?.type === 'number' && (payload.value.trim() === '' || !Number.isFinite(Number(payload.value))))
    refuse(`The payload of the variant ${name} is not a number.`);
  if (payload?.type !== 'json') return;
  try {
    JSON.parse(payload.value);
  } catch {
    refuse(`The payload of the variant ${name} is not JSON.`);
  }
};

const checkVariants = (variants: readonly Variant[]): void => {
  if (variants.length === 0) return;
  if (new Set(variants.map(({ name }) => name)).size < variants.length) refuse('Two variants have the same name.');
  if (variants.every(({ weight }) => weight === 0)) refuse('At least one variant must have a weight.');
  for (const variant of variants) checkPayload(variant);
};

const checkStrategy = (strategy: Strategy, { segments }: Pick<FlagRules, 'segments'>): void => {
  checkConstraints(strategy.constraints ?? []);
  checkVariants(strategy.variants ?? []);
  for (const id of strategy.segments ?? []) if (!segments.get(id)) refuse(`The segment ${id} does not exist.`);
  if (strategy.name !== 'remoteAddress') return;
  const wrong = strategy.addresses.find((text) => !isInNetworks(text.split('/')[0] ?? '', [text]));
  if (wrong !== undefined) refuse(`${wrong} is not an address or a network.`);
};

/** A parent must exist and have no parents: an answer then needs two levels, and there are no cycles. */
const checkParents = (key: string, { condition: { parents } }: FlagDefinition, { flags }: FlagRules): void => {
  for (const { flag } of parents) {
    if (flag === key) refuse('A flag cannot be its own parent.');
    const parent = flags.get(flag) ?? refuse(`The parent ${flag} does not exist.`);
    if (parent.condition.parents.length > 0) refuse(`The parent ${flag} has parents itself.`);
  }
  const [child] = parents.length > 0 ? childrenOf(flags, key) : [];
  if (child !== undefined) refuse(`${child} has this flag as its parent: it cannot have parents itself.`);
};

/** The flags that depend on this one. */
export const childrenOf = (flags: FlagRules['flags'], key: string): string[] =>
  [...flags].filter(([, { condition }]) => condition.parents.some(({ flag }) => flag === key)).map(([child]) => child);

/** The flags that use this segment. */
export const usersOf = (flags: FlagRules['flags'], segment: string): string[] =>
  [...flags]
    .filter(([, { condition }]) => condition.strategies.some(({ segments = [] }) => segments.includes(segment)))
    .map(([key]) => key);

/** @throws Rejected `invalid` */
export const checkDefinition = (key: string, definition: FlagDefinition, rules: FlagRules): void => {
  for (const strategy of definition.condition.strategies) checkStrategy(strategy, rules);
  checkVariants(definition.payload.variants);
  checkParents(key, definition, rules);
};
