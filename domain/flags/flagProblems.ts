/** What makes a flag or a segment impossible: it would never do what its author means. */
import { inField, Rejected } from '../core/decider.ts';
import { MODULE_FLAG } from '../core/moduleFlag.ts';
import { constraintProblem, isInNetworks } from './constraints.ts';
import { isField } from './context.ts';
import type { Constraint, FlagDefinition, FlagRules, Strategy, Variant } from './flag.ts';

/** @param field where it is in the part that is checked */
const refuse = (field: string, detail: string): never => {
  throw new Rejected('invalid', detail, { fields: [field] });
};

/** @throws Rejected `invalid` */
export const checkConstraints = (constraints: readonly Constraint[]): void => {
  for (const [index, constraint] of constraints.entries()) {
    const problem = constraintProblem(constraint);
    if (problem) refuse(`constraints/${index}`, `The constraint on ${constraint.context}: ${problem}`);
  }
};

const checkPayload = ({ name, payload }: Variant): void => {
  if (payload?.type === 'number' && (payload.value.trim() === '' || !Number.isFinite(Number(payload.value))))
    refuse('payload/value', `The payload of the variant ${name} is not a number.`);
  if (payload?.type !== 'json') return;
  try {
    JSON.parse(payload.value);
  } catch {
    refuse('payload/value', `The payload of the variant ${name} is not JSON.`);
  }
};

const checkVariants = (variants: readonly Variant[]): void => {
  if (variants.length === 0) return;
  if (new Set(variants.map(({ name }) => name)).size < variants.length)
    refuse('variants', 'Two variants have the same name.');
  if (variants.every(({ weight }) => weight === 0)) refuse('variants', 'At least one variant must have a weight.');
  for (const [index, variant] of variants.entries()) inField(`variants/${index}`, () => checkPayload(variant));
};

const checkStrategy = (strategy: Strategy, { segments }: Pick<FlagRules, 'segments'>): void => {
  checkConstraints(strategy.constraints ?? []);
  checkVariants(strategy.variants ?? []);
  for (const [index, id] of (strategy.segments ?? []).entries())
    if (!segments.get(id)) refuse(`segments/${index}`, `The segment ${id} does not exist.`);
  if (strategy.name !== 'remoteAddress') return;
  const wrong = strategy.addresses.find((text) => !isInNetworks(text.split('/')[0] ?? '', [text]));
  if (wrong !== undefined)
    refuse(`addresses/${strategy.addresses.indexOf(wrong)}`, `${wrong} is not an address or a network.`);
};

/** A parent must exist and have no parents: an answer then needs two levels, and there are no cycles. */
const checkParents = (key: string, { condition: { parents } }: FlagDefinition, { flags }: FlagRules): void => {
  for (const [index, { flag }] of parents.entries()) {
    const field = `condition/parents/${index}/flag`;
    if (flag === key) refuse(field, 'A flag cannot be its own parent.');
    const parent = flags.get(flag) ?? refuse(field, `The parent ${flag} does not exist.`);
    if (parent.condition.parents.length > 0) refuse(field, `The parent ${flag} has parents itself.`);
  }
  const [child] = parents.length > 0 ? childrenOf(flags, key) : [];
  if (child !== undefined)
    refuse('condition/parents', `${child} has this flag as its parent: it cannot have parents itself.`);
};

/** The flags that depend on this one. */
export const childrenOf = (flags: FlagRules['flags'], key: string): string[] =>
  [...flags].filter(([, { condition }]) => condition.parents.some(({ flag }) => flag === key)).map(([child]) => child);

/** The flags that use this segment. */
export const usersOf = (flags: FlagRules['flags'], segment: string): string[] =>
  [...flags]
    .filter(([, { condition }]) => condition.strategies.some(({ segments = [] }) => segments.includes(segment)))
    .map(([key]) => key);

/**
 * A flag that opens a part of the product is asked by the server, which knows nothing of the app.
 * @throws Rejected `invalid`
 */
const checkServerKnows = ({ constraints = [], segments = [] }: Strategy, rules: FlagRules): void => {
  const problem = (context: string) =>
    `Parts of the product are opened by the server, which does not know ${context}: the part would be closed for everybody.`;
  for (const [index, { context }] of constraints.entries())
    if (!isField(context)) refuse(`constraints/${index}/context`, problem(context));
  for (const [index, id] of segments.entries()) {
    const unknown = rules.segments.get(id)?.constraints.find(({ context }) => !isField(context));
    if (unknown) refuse(`segments/${index}`, problem(unknown.context));
  }
};

/** @throws Rejected `invalid` */
export const checkDefinition = (key: string, definition: FlagDefinition, rules: FlagRules): void => {
  for (const [index, strategy] of definition.condition.strategies.entries())
    inField(`condition/strategies/${index}`, () => {
      checkStrategy(strategy, rules);
      if (key.startsWith(MODULE_FLAG)) checkServerKnows(strategy, rules);
    });
  inField('payload', () => checkVariants(definition.payload.variants));
  checkParents(key, definition, rules);
};
