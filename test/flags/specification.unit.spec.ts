/**
 * Our evaluator against the cases of Unleash's clients (`@unleash/client-specification`). All of them apply. Two of their
 * states arrive as events of Unleash's delta protocol, which does not exist here: the events are folded, then evaluated.
 */
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import type { FlagContext } from '../../domain/flags/context.ts';
import { evaluate } from '../../domain/flags/evaluate.ts';
import type { Constraint, FlagRules, Operator, Parent, Strategy, Variant } from '../../domain/flags/flag.ts';

const load = createRequire(import.meta.url);
const spec = <T>(file: string): T => load(`@unleash/client-specification/specifications/${file}`) as T;

interface TheirConstraint {
  contextName: string;
  operator: string;
  value?: string;
  values?: string[];
  inverted?: boolean;
  caseInsensitive?: boolean;
}
interface TheirVariant extends Pick<Variant, 'name' | 'weight' | 'payload' | 'stickiness'> {
  overrides?: { contextName: string; values: string[] }[];
}
interface TheirStrategy {
  name: string;
  parameters?: Record<string, string>;
  constraints?: TheirConstraint[];
  segments?: number[];
  variants?: TheirVariant[];
}
interface TheirFeature {
  name: string;
  enabled: boolean;
  strategies?: TheirStrategy[];
  variants?: TheirVariant[];
  dependencies?: { feature: string; enabled?: boolean; variants?: string[] }[];
}
interface TheirSegment {
  id: number;
  constraints: TheirConstraint[];
}
interface State {
  features?: TheirFeature[];
  segments?: TheirSegment[];
  events?: (State & { type: string; feature?: TheirFeature; featureName?: string; segment?: TheirSegment })[];
}
type TheirContext = Partial<
  Record<'userId' | 'sessionId' | 'remoteAddress' | 'environment' | 'currentTime', string>
> & {
  appName?: string;
  properties?: Record<string, string>;
};
interface Specification {
  name: string;
  state: State;
  tests?: { description: string; context: TheirContext; toggleName: string; expectedResult: boolean }[];
  variantTests?: { description: string; context: TheirContext; toggleName: string; expectedResult: object }[];
}

const list = (text = ''): string[] => text.split(',').map((part) => part.trim());
const constraintOf = ({ contextName: context, operator, value, values, ...more }: TheirConstraint): Constraint => ({
  context,
  operator: operator as Operator,
  values: values ?? (value === undefined ? [] : [value]),
  ...(more.inverted && { inverted: true }),
  ...(more.caseInsensitive && { insensitive: true }),
});
const variantOf = ({ overrides, ...variant }: TheirVariant): Variant => ({
  ...variant,
  ...(overrides && { overrides: overrides.map(({ contextName: context, values }) => ({ context, values })) }),
});
const strategyOf = ({ name, parameters = {}, constraints, segments, variants }: TheirStrategy): Strategy =>
  ({
    name,
    users: list(parameters.userIds),
    addresses: list(parameters.IPs),
    rollout: Number(parameters.rollout ?? parameters.percentage),
    ...(parameters.stickiness && { stickiness: parameters.stickiness }),
    ...(parameters.groupId && { group: parameters.groupId }),
    constraints: constraints?.map(constraintOf),
    segments: segments?.map(String),
    variants: variants?.map(variantOf),
  }) as unknown as Strategy;
const parentOf = ({ feature: flag, ...parent }: { feature: string }): Parent => ({ flag, ...parent });
const flagOf = ({ enabled, strategies = [], variants = [], dependencies = [] }: TheirFeature) => ({
  enabled,
  condition: { strategies: strategies.map(strategyOf), parents: dependencies.map(parentOf) },
  payload: { variants: variants.map(variantOf) },
});

/** Unleash sends a whole state, or the events that lead to it. */
const rulesOf = (state: State): FlagRules => {
  const flags = new Map<string, ReturnType<typeof flagOf>>();
  const segments = new Map<string, { constraints: Constraint[] }>();
  const take = (part: State): void => {
    for (const feature of part.features ?? []) flags.set(feature.name, flagOf(feature));
    for (const { id, constraints } of part.segments ?? [])
      segments.set(String(id), { constraints: constraints.map(constraintOf) });
  };
  take(state);
  for (const event of state.events ?? []) {
    take({
      ...event,
      ...(event.feature && { features: [event.feature] }),
      ...(event.segment && { segments: [event.segment] }),
    });
    if (event.featureName) flags.delete(event.featureName);
  }
  return { flags, segments };
};
const contextOf = ({ appName, properties, ...context }: TheirContext): FlagContext => ({
  random: 0.5,
  ...context,
  properties: { ...(appName && { appName }), ...properties },
});

const files = spec<string[]>('index.json');

describe.each(files.map((file) => spec<Specification>(file)))('$name', ({ state, tests = [], variantTests = [] }) => {
  const rules = rulesOf(state);
  it.each(tests)('$description', ({ toggleName, context, expectedResult }) => {
    expect(evaluate(rules, toggleName, contextOf(context)).enabled).toBe(expectedResult);
  });
  it.each(variantTests)('variant: $description', ({ toggleName, context, expectedResult }) => {
    const { enabled: feature_enabled, variant } = evaluate(rules, toggleName, contextOf(context));
    const answer = variant ? { ...variant, enabled: true } : { name: 'disabled', enabled: false };
    expect({ ...answer, feature_enabled }).toEqual(expectedResult);
  });
});

it('has as many cases as the package', () => {
  const count = files
    .map((file) => spec<Specification>(file))
    .reduce((sum, { tests = [], variantTests = [] }) => sum + tests.length + variantTests.length, 0);
  expect(files).toHaveLength(22);
  expect(count).toBe(279);
});
