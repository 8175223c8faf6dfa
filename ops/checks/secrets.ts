/** Which secrets somebody could guess: known to everybody, easy to find, or the same in several places. */
import { createPublicKey } from 'node:crypto';
import type { TSchema } from '@sinclair/typebox';
import { groupBy } from '../../infra/groupBy.ts';
import { passwordIn } from './stores.ts';

interface Secret {
  /** How messages name it. */
  readonly label: string;
  readonly setting: string;
  readonly text: string;
}

type Declarations = Readonly<Record<string, TSchema>>;
type Values = Readonly<Record<string, unknown>>;

/** All secrets that are set: whole settings, passwords in addresses, and those inside of JSON. */
const secretsOf = (declarations: Declarations, values: Values): Secret[] =>
  Object.entries(declarations).flatMap(([setting, schema]) => {
    const value = values[setting];
    // The id of a key is no secret, although it is not shown.
    if (!schema.secret || value === undefined || setting.endsWith('_ID')) return [];
    if (typeof value !== 'string') return textsIn(value).map((text) => ({ setting, label: setting, text }));
    if (isPem(value) || !value.includes('://')) return [{ setting, label: setting, text: value }];
    const text = passwordIn(setting, value);
    return text === undefined ? [] : [{ setting, label: `the password in ${setting}`, text }];
  });

const IN_JSON = ['client_secret', 'private_key'];
const textsIn = (value: unknown): string[] => {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    IN_JSON.includes(key) && typeof inner === 'string' ? [inner] : textsIn(inner),
  );
};

const isPem = (text: string): boolean => text.includes('PRIVATE KEY');

/** The public half of a private key is the same however it is written. Undefined: it cannot be read. */
const publicKeyOf = (pem: string): string | undefined => {
  try {
    return createPublicKey(pem.replaceAll('\\n', '\n')).export({ type: 'spki', format: 'der' }).toString('base64');
  } catch {
    return undefined;
  }
};

/** What a text may stand for: itself, and the bytes that it encodes. So one secret is found in any of its spellings. */
const spellings = (text: string): string[] => {
  if (isPem(text)) return [publicKeyOf(text) ?? []].flat();
  const plain = text.trim().replace(/^(["'])(.*)\1$/, '$2');
  const bytes = plain.replace(/^whsec_/, '');
  const decoded = [
    ...(/^([0-9a-f]{2}){8,}$/i.test(bytes) ? [Buffer.from(bytes, 'hex')] : []),
    ...(/^[A-Za-z0-9+/_-]{16,}={0,2}$/.test(bytes) ? [Buffer.from(bytes, 'base64')] : []),
  ];
  return [...new Set([plain, ...decoded.map((buffer) => buffer.toString('latin1'))])];
};
const compared = (text: string): string[] => spellings(text).map((one) => one.toLowerCase());

/** What examples and images have in place of a secret. */
const PLACEHOLDER =
  /change-?_? ?(me|it|this)|replace-?_? ?(me|this)|dev-?_? ?only|not-?_? ?(for-?_? ?production|a-?_? ?secret)|place-?_? ?holder|your-?_? ?(secret|password|token|key)|example|passw(or|0r)d|qwerty|1234567|insecure/i;
/** Names that are a password of nothing else but their digits and signs. */
const NAMES =
  /^(admin|root|user|test|demo|sandbox|secret|default|postgres|postgresql|resort|eventstore|kurrentdb|minioadmin|minio|guest)*$/;

const isWellKnown = (text: string, known: readonly string[]): boolean =>
  spellings(text).some((one) => PLACEHOLDER.test(one) || NAMES.test(one.toLowerCase().replace(/[^a-z]/g, '') || '-')) ||
  compared(text).some((one) => known.some((other) => one.includes(other)));

/** With fewer different characters than this, a text is quickly guessed. */
const CHARACTERS = 8;
const SHORTEST = 8;

const isRepeated = (text: string): boolean => {
  const period = (text + text).indexOf(text, 1);
  return period <= text.length / 2;
};
/** `abcdefgh`, `87654321`, bytes 0, 1, 2, … */
const isRow = (text: string): boolean => {
  const steps = [...text].slice(1).map((char, at) => (char.codePointAt(0) ?? 0) - (text.codePointAt(at) ?? 0));
  const most = [1, -1, 0].map((step) => steps.filter((each) => each === step).length);
  return Math.max(...most) > steps.length * 0.7;
};

const isWeak = (text: string): boolean =>
  text.trim().length < SHORTEST ||
  spellings(text).some((one) => {
    const least = Math.min(CHARACTERS, Math.ceil(one.length / 2));
    return new Set(one.toLowerCase()).size < least || isRepeated(one) || isRow(one);
  });

/** Development values of any setting count for all of them. */
const knownTexts = (declarations: Declarations): string[] =>
  Object.values(declarations)
    .flatMap(({ dev, wellKnown }): string[] => [dev ?? [], wellKnown ?? []].flat())
    .flatMap(compared);

export const wellKnownSecrets = (declarations: Declarations, values: Values): Secret[] => {
  const known = knownTexts(declarations);
  return secretsOf(declarations, values).filter(({ text }) => isWellKnown(text, known));
};

/** Former keys of the vault: one that was weak must be given until everything is under a new one, or for ever. */
export const FORMER_KEYS: readonly string[] = ['VAULT_MASTER_KEY_PREVIOUS', 'VAULT_FINGERPRINT_KEY'];

/** Those that are well known are not named here, too. */
export const weakSecrets = (declarations: Declarations, values: Values): Secret[] => {
  const known = knownTexts(declarations);
  return secretsOf(declarations, values).filter(({ text }) => isWeak(text) && !isWellKnown(text, known));
};

/** A previous secret may still be the present one, and the keys of the vault begin as one. */
const family = (setting: string): string =>
  setting.startsWith('VAULT_') ? 'VAULT' : setting.replace(/_PREVIOUS$/, '');

/** The labels of secrets that are one text, group by group. */
export const equalSecrets = (declarations: Declarations, values: Values): string[][] => {
  const spelled = secretsOf(declarations, values).flatMap((secret) =>
    compared(secret.text).map((text) => ({ ...secret, text })),
  );
  const groups = [...groupBy(spelled, ({ text }) => text).values()]
    .filter((group) => new Set(group.map(({ setting }) => family(setting))).size > 1)
    .map((group) => [...new Set(group.map(({ label }) => label))]);
  return [...new Map(groups.map((group) => [group.join(), group])).values()];
};
