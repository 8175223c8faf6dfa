/** What the specification of Unleash does not say: our own strategies, chance, stability, and explanations. */
import { describe, expect, it } from 'vitest';
import { murmur3 } from '../../domain/core/murmur3.ts';
import type { FlagContext } from '../../domain/flags/context.ts';
import { evaluate } from '../../domain/flags/evaluate.ts';
import { explain } from '../../domain/flags/explain.ts';
import type { Constraint, FlagRules, Strategy, Variant } from '../../domain/flags/flag.ts';

const rulesOf = (strategies: readonly Strategy[], variants: readonly Variant[] = []): FlagRules => ({
  flags: new Map([
    [
      'map',
      { enabled: true, condition: { strategies: [...strategies], parents: [] }, payload: { variants: [...variants] } },
    ],
  ]),
  segments: new Map(),
});
const someone = (context: Partial<FlagContext> = {}): FlagContext => ({ random: 0.5, ...context });
const isOn = (strategies: readonly Strategy[], context: Partial<FlagContext> = {}): boolean =>
  evaluate(rulesOf(strategies), 'map', someone(context)).enabled;
const people = Array.from({ length: 2_000 }, (_, n) => `user-${n}`);

describe('murmur3', () => {
  it.each([
    ['', 0, 0],
    ['', 1, 0x514e28b7],
    ['', 0xffffffff, 0x81f16f39],
    ['test', 0, 0xba6bd213],
    ['test', 0x9747b28c, 0x704b81dc],
    ['Hello, world!', 0, 0xc0363e43],
    ['Hello, world!', 0x9747b28c, 0x24884cba],
    ['The quick brown fox jumps over the lazy dog', 0x9747b28c, 0x2fa826cd],
    ['ππππππππ', 0x9747b28c, 0xd58063c1],
  ])('of %j with the seed %i', (text, seed, hash) => expect(murmur3(text, seed)).toBe(hash));
});

describe('a rollout', () => {
  const to = (rollout: number): Strategy => ({ name: 'flexibleRollout', rollout, stickiness: 'userId' });
  const reached = (rollout: number) => people.filter((userId) => isOn([to(rollout)], { userId }));
  it('that grows loses nobody, and reaches about the share that it says', () => {
    const [some, more] = [reached(20), new Set(reached(50))];
    expect(some.every((person) => more.has(person))).toBe(true);
    expect(some.length / people.length).toBeCloseTo(0.2, 1);
    expect(more.size / people.length).toBeCloseTo(0.5, 1);
  });
  it('reaches nobody in particular only at 100 percent', () => {
    const nobody = { random: null };
    for (const group of Array.from({ length: 50 }, (_, n) => `g${n}`))
      for (const name of ['flexibleRollout', 'gradualRolloutRandom'] as const)
        for (const stickiness of ['default', 'random'])
          for (const rollout of [0, 30, 99, 100])
            expect(isOn([{ name, rollout, stickiness, group }], nobody)).toBe(rollout === 100);
  });
  it('by chance reaches about the share that it says', () => {
    const draws = Array.from({ length: 1_000 }, (_, n) => n / 1_000);
    const reachedOf = (strategy: Strategy) => draws.filter((random) => isOn([strategy], { random })).length;
    expect(reachedOf({ name: 'flexibleRollout', rollout: 30 })).toBe(300);
    expect(reachedOf({ name: 'gradualRolloutRandom', rollout: 30 })).toBe(300);
  });
  it('takes an empty user id for none', () => expect(isOn([to(100)], { userId: '' })).toBe(false));
});

describe('variants', () => {
  const variants = (a: number, b: number): Variant[] => [
    { name: 'a', weight: a, stickiness: 'userId' },
    { name: 'b', weight: b, stickiness: 'userId' },
  ];
  const shareOfA = (userIds: readonly string[], rollout: number) => {
    const rules = rulesOf([{ name: 'flexibleRollout', rollout, stickiness: 'userId' }], variants(50, 50));
    const all = userIds.map((userId) => evaluate(rules, 'map', someone({ userId }))).filter(({ enabled }) => enabled);
    return all.filter(({ variant }) => variant?.name === 'a').length / all.length;
  };
  it('are divided among early users as among all', () => expect(shareOfA(people, 10)).toBeCloseTo(0.5, 0));
  it('are for nobody in particular only where everybody has the same', () => {
    const variantOf = (a: number, b: number) => {
      const chance = variants(a, b).map((one) => ({ ...one, stickiness: 'default' }));
      return evaluate(rulesOf([], chance), 'map', { random: null }).variant?.name;
    };
    expect([variantOf(1, 1), variantOf(999, 1), variantOf(1, 0), variantOf(0, 5)]).toEqual([
      undefined,
      undefined,
      'a',
      'b',
    ]);
  });
  it('stay with the person', () => {
    const rules = rulesOf([], variants(1, 1));
    const once = people.map((userId) => evaluate(rules, 'map', someone({ userId, random: 0.1 })).variant?.name);
    const again = people.map((userId) => evaluate(rules, 'map', someone({ userId, random: 0.9 })).variant?.name);
    expect(again).toEqual(once);
  });
});

describe('explanations', () => {
  const of = (strategies: readonly Strategy[], context: Partial<FlagContext> = {}) => {
    const rules = rulesOf(strategies);
    return explain(evaluate(rules, 'map', someone(context)), rules);
  };
  const onIos: Constraint = { context: 'platform', operator: 'IN', values: ['ios'] };
  const rollout: Strategy = { name: 'flexibleRollout', rollout: 0, stickiness: 'userId' };

  it('name the strategy and the constraint that decided', () => {
    expect(
      of([{ name: 'default', constraints: [onIos] }, rollout], { userId: 'u', properties: { platform: 'web' } }),
    ).toMatch(
      /^No strategy applies\. Strategy 1 \(default\): the constraint "platform IN ios" does not hold: the value is web\. Strategy 2 \(flexibleRollout\): the person is in part \d+ of 100, the rollout reaches 0\.$/,
    );
    expect(of([rollout])).toContain('the context lacks the field that decides');
    expect(of([{ name: 'role', roles: ['admin'] }], { role: 'tourist' })).toContain('the person is not listed');
    expect(of([{ name: 'role', roles: ['admin'] }], { role: 'admin' })).toBe('Strategy 1 (role) applies.');
    expect(of([{ name: 'default', segments: ['x'] }])).toContain('the segment x does not exist');
    expect(of([])).toContain('on for everybody');
    const skiers = new Map([['x', { name: 'Skiers', constraints: [onIos] }]]);
    const rules = { ...rulesOf([{ name: 'default', segments: ['x'] }]), segments: skiers };
    expect(explain(evaluate(rules, 'map', someone()), rules)).toContain('of the segment “Skiers” "platform IN ios"');
  });
  it('name the switch, the parent, and the flag that is missing', () => {
    const flags = new Map([
      ['off', { enabled: false, condition: { strategies: [], parents: [] }, payload: { variants: [] } }],
      [
        'child',
        { enabled: true, condition: { strategies: [], parents: [{ flag: 'off' }] }, payload: { variants: [] } },
      ],
    ]);
    const rules = { flags, segments: new Map() };
    const why = (key: string) => explain(evaluate(rules, key, someone()), rules);
    expect(why('off')).toContain('switched off');
    expect(why('child')).toBe('The parent off has to be on, and is not.');
    expect(why('other')).toContain('does not exist');
  });
});

it('an operator of a newer release turns the flag off, inverted or not', () => {
  for (const inverted of [false, true]) {
    const constraint = { context: 'userId', operator: 'NEWER' as 'IN', values: ['u'], inverted };
    expect(isOn([{ name: 'default', constraints: [constraint] }], { userId: 'u' })).toBe(false);
  }
});

it('a regular expression takes linear time', () => {
  const constraint: Constraint = { context: 'name', operator: 'REGEX', values: ['^(a+)+$'] };
  const started = performance.now();
  expect(
    isOn([{ name: 'default', constraints: [constraint] }], { properties: { name: `${'a'.repeat(5_000)}!` } }),
  ).toBe(false);
  expect(performance.now() - started).toBeLessThan(5_000);
});
