/** Whether a constraint holds, and whether it makes sense. */
import ipaddr from 'ipaddr.js';
import { RE2JS } from 're2js';
import semver from 'semver';
import { type FlagContext, fieldOf } from './context.ts';
import type { Constraint, Operator } from './flag.ts';

/** A version without the leading `v` that the library allows; null: none. */
const versionIn = (text: string): semver.SemVer | null => (/^\d/.test(text) ? semver.parse(text) : null);
export const isVersion = (text: string): boolean => versionIn(text) !== null;
/** Negative, zero or positive, by the precedence of semantic versions. Both must be versions. */
export const compareVersions = (a: string, b: string): number => semver.compare(a, b);

type Address = ReturnType<typeof ipaddr.process>;
type Network = readonly [Address, number];

/** An address is a network of itself. undefined: neither. */
const networkOf = (text: string): Network | undefined => {
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text);
  if (!ipaddr.isValid(text)) return undefined;
  const address = ipaddr.process(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
};

/** Whether an address is in one of these networks. What is no network is ignored. */
export const isInNetworks = (address: string, networks: readonly string[]): boolean => {
  if (!ipaddr.isValid(address)) return false;
  const found = ipaddr.process(address);
  return networks.some((text) => {
    const network = networkOf(text.trim());
    return network !== undefined && network[0].kind() === found.kind() && found.match(network as [Address, number]);
  });
};

/** Compiled once for each constraint in memory; null: not a regular expression. */
const patterns = new WeakMap<Constraint, RE2JS | null>();

/** RE2 needs linear time, whatever an admin writes. It has no lookahead and no backreference. */
const compiled = ({ values: [source = ''], insensitive }: Constraint): RE2JS | null => {
  try {
    return RE2JS.compile(source, insensitive ? RE2JS.CASE_INSENSITIVE : 0);
  } catch {
    return null;
  }
};
const patternOf = (constraint: Constraint): RE2JS | null => {
  const known = patterns.get(constraint);
  if (known !== undefined) return known;
  const made = compiled(constraint);
  patterns.set(constraint, made);
  return made;
};

type Holds = (value: string, constraint: Constraint) => boolean;

const onTexts =
  (matches: (text: string, part: string) => boolean): Holds =>
  (value, { values, insensitive }) => {
    const folded = (text: string) => (insensitive ? text.toLowerCase() : text);
    return values.some((part) => matches(folded(value), folded(part)));
  };
const onNumbers =
  (compare: (a: number, b: number) => boolean): Holds =>
  (value, { values: [limit = ''] }) =>
    value.trim() !== '' && limit.trim() !== '' && compare(Number(value), Number(limit)); // false with NaN
const onDates =
  (compare: (a: number, b: number) => boolean): Holds =>
  (value, { values: [limit = ''] }) =>
    compare(Date.parse(value), Date.parse(limit)); // false with NaN
const onVersions =
  (fits: (order: number) => boolean): Holds =>
  (value, { values: [limit = ''] }) => {
    const [version, other] = [versionIn(value), versionIn(limit)];
    return version !== null && other !== null && fits(version.compare(other));
  };

const HOLDS: Readonly<Record<Exclude<Operator, 'IN' | 'NOT_IN'>, Holds>> = {
  STR_STARTS_WITH: onTexts((text, part) => text.startsWith(part)),
  STR_ENDS_WITH: onTexts((text, part) => text.endsWith(part)),
  STR_CONTAINS: onTexts((text, part) => text.includes(part)),
  NUM_EQ: onNumbers((a, b) => a === b),
  NUM_GT: onNumbers((a, b) => a > b),
  NUM_GTE: onNumbers((a, b) => a >= b),
  NUM_LT: onNumbers((a, b) => a < b),
  NUM_LTE: onNumbers((a, b) => a <= b),
  DATE_AFTER: onDates((a, b) => a > b),
  DATE_BEFORE: onDates((a, b) => a < b),
  SEMVER_EQ: onVersions((order) => order === 0),
  SEMVER_GT: onVersions((order) => order > 0),
  SEMVER_GTE: onVersions((order) => order >= 0),
  SEMVER_LT: onVersions((order) => order < 0),
  SEMVER_LTE: onVersions((order) => order <= 0),
  REGEX: (value, constraint) => patternOf(constraint)?.matcher(value).find() ?? false,
  IN_CIDR: (value, { values }) => isInNetworks(value, values),
};

/** Without the value in the context, only NOT_IN holds. */
const operatorHolds = (value: string | undefined, constraint: Constraint): boolean => {
  const { operator, values } = constraint;
  if (operator === 'NOT_IN') return value === undefined || !values.includes(value);
  if (value === undefined) return false;
  return operator === 'IN' ? values.includes(value) : HOLDS[operator](value, constraint);
};

/** An operator that a newer release has written holds for nobody, inverted or not. */
const isKnown = (operator: string): boolean =>
  operator === 'IN' || operator === 'NOT_IN' || Object.hasOwn(HOLDS, operator);

export const constraintHolds = (constraint: Constraint, context: FlagContext): boolean =>
  isKnown(constraint.operator) &&
  operatorHolds(fieldOf(context, constraint.context), constraint) !== (constraint.inverted ?? false);

const ONE_VALUE: Readonly<Record<string, readonly [fits: (text: string) => boolean, what: string]>> = {
  NUM: [(text) => text.trim() !== '' && Number.isFinite(Number(text)), 'a number'],
  DATE: [(text) => /^\d{4}-\d{2}-\d{2}T/.test(text) && !Number.isNaN(Date.parse(text)), 'an RFC 3339 date and time'],
  SEMVER: [isVersion, 'a semantic version such as 1.2.3'],
};

/** What is wrong with a constraint that could never hold, as a sentence; undefined: nothing. */
export const constraintProblem = (constraint: Constraint): string | undefined => {
  const { operator, values } = constraint;
  const [family = ''] = operator.split('_');
  const [fits, what] = ONE_VALUE[family] ?? [undefined, ''];
  const one = values.length === 1 ? (values[0] as string) : undefined;
  if (fits) return one !== undefined && fits(one) ? undefined : `${operator} needs exactly one value: ${what}.`;
  if (operator === 'REGEX')
    return one !== undefined && compiled(constraint)
      ? undefined
      : 'REGEX needs exactly one value: a regular expression of RE2, which has no lookahead and no backreference.';
  if (operator === 'IN_CIDR') {
    const wrong = values.find((text) => networkOf(text) === undefined);
    return wrong === undefined ? undefined : `${wrong} is not an address or a network.`;
  }
  return undefined;
};
