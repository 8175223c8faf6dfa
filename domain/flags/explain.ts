/** An evaluation in words: which strategy and which constraint decided. */
import type { CheckedConstraint, CheckedStrategy, Evaluation } from './evaluate.ts';
import type { FlagRules, Parent } from './flag.ts';

const named = (at: number, { strategy }: CheckedStrategy): string => `Strategy ${at + 1} (${strategy.name})`;

type Segments = Pick<FlagRules, 'segments'>;

const constraintText = ({ constraint, segment, value }: CheckedConstraint, { segments }: Segments): string => {
  const { context, operator, values, inverted } = constraint;
  const where = segment === null ? '' : ` of the segment “${segments.get(segment)?.name ?? segment}”`;
  const condition = `${inverted ? 'not ' : ''}${context} ${operator} ${values.slice(0, 5).join(', ')}`;
  return `the constraint${where} "${condition}" does not hold: ${value === null ? 'there is no value' : `the value is ${value}`}`;
};

const rolloutText = ({ strategy, part }: CheckedStrategy): string | undefined => {
  if (!('rollout' in strategy)) return undefined;
  if (part === null) return 'the context lacks the field that decides';
  return `the person is in part ${part} of 100, the rollout reaches ${strategy.rollout}`;
};

const whyNot = (checked: CheckedStrategy, rules: Segments): string => {
  const [missing] = checked.missingSegments;
  if (missing !== undefined) return `the segment ${missing} does not exist`;
  const failed = checked.constraints.find(({ holds }) => !holds);
  return failed ? constraintText(failed, rules) : (rolloutText(checked) ?? 'the person is not listed');
};

const parentText = ({ flag, enabled = true, variants = [] }: Parent): string => {
  const variant = variants.length === 0 ? '' : ` with the variant ${variants.join(' or ')}`;
  return `The parent ${flag} has to be ${enabled ? 'on' : 'off'}${variant}, and is not.`;
};

/** One or more sentences. @param rules with the names of segments */
export const explain = ({ reason, parents, strategies }: Evaluation, rules: Segments): string => {
  switch (reason) {
    case 'unknown_flag':
      return 'The flag does not exist.';
    case 'switched_off':
      return 'The flag is switched off for everybody.';
    case 'parent': {
      const parent = parents.find(({ holds }) => !holds)?.parent;
      return parent ? parentText(parent) : 'A parent does not allow it.';
    }
    case 'everybody':
      return 'The flag has no strategies: it is on for everybody.';
    case 'strategy': {
      const applying = strategies.at(-1) as CheckedStrategy;
      const rollout = rolloutText(applying);
      return `${named(strategies.length - 1, applying)} applies${rollout ? `: ${rollout}` : ''}.`;
    }
    case 'no_strategy':
      return `No strategy applies. ${strategies.map((each, at) => `${named(at, each)}: ${whyNot(each, rules)}.`).join(' ')}`;
  }
};
