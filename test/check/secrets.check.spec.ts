/** Secrets that this repository shows to everybody: production refuses each of them, whatever they are for here. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { readConfig, secretSettings } from '../../ops/config.ts';
import { PRODUCTION } from '../ops/production.ts';

const ROOT = path.join(import.meta.dirname, '../..');
/** Of others, generated, or made of names only; the fixtures have signatures, whose secrets `TBANK_PASSWORD` declares. */
const NOT_READ =
  /(^|\/)(node_modules|dist|\.git|\.data|generated|fixtures)(\/|$)|(package-lock|openapi|asyncapi|\.schema|\.golden)\.json$/;
const READ = /\.(ts|mjs|js|json|md|ya?ml|sh|env|example|service|conf)$|(^|\/)(Dockerfile|Caddyfile|\.env[\w.]*)$/;

const files = readdirSync(ROOT, { recursive: true, encoding: 'utf8' }).filter(
  (file) => READ.test(file) && !NOT_READ.test(file),
);

const SETTINGS = secretSettings().join('|');
const PATTERNS: readonly RegExp[] = [
  new RegExp(`\\b(?:${SETTINGS})['"]?\\s*[:=]\\s*(['"\`])(?<text>[^\\s'"\`]{8,})\\1`, 'g'),
  /(?:secret|private_?key|token|api_?key|pepper|master_?key)['"]?\s*[:=]\s*(['"`])(?<text>[^\s'"`]{16,})\1/gi,
  // Without quotes, in shells and files of settings.
  new RegExp(`^[\\s#>-]*(?:export )?(?:${SETTINGS})(?:=|: )(?<text>[^\\s'"\`\\\\,]{8,})\\s*$`, 'gm'),
  /(?<text>whsec_[A-Za-z0-9+/]{16,}={0,2})/g,
  /\b[a-z+]+:\/\/[^\s:/@'"`]+:(?<text>[^\s@/?#'"`]{4,})@/g,
  /(?<text>-----BEGIN [A-Z ]*PRIVATE KEY-----[A-Za-z0-9+/=\s\\]{60,}?-----END [A-Z ]*PRIVATE KEY-----)/g,
];
/** Code, other names, and texts that are put together. */
const NO_TEXT = /[${}()[\]<>|]|^[A-Z][A-Z_]+$|^[a-z]+([A-Z][a-z]+)+$|:\/\/|…/;

const found = files.flatMap((file) => {
  const text = readFileSync(path.join(ROOT, file), 'utf8');
  return PATTERNS.flatMap((pattern) => [...text.matchAll(pattern)].map((match) => match.groups?.text ?? ''))
    .filter((secret) => secret.includes('PRIVATE KEY') || !NO_TEXT.test(secret))
    .map((secret) => ({ file, secret: /%[\da-f]{2}/i.test(secret) ? decodeURIComponent(secret) : secret }));
});

const isRefused = (secret: string): boolean => {
  const env = secret.includes('PRIVATE KEY')
    ? { APNS_KEY: secret, APNS_KEY_ID: 'ABCDEFGHIJ', APNS_TEAM_ID: 'KLMNOPQRST', APNS_TOPIC: 'test.resort.app' }
    : { LANGUAGE_MODEL_KEY: secret };
  try {
    readConfig({ ...PRODUCTION, ...env });
    return false;
  } catch {
    return true;
  }
};

it('finds the secrets of development and of the sandbox', () => {
  const secrets = new Set(found.map(({ secret }) => secret));
  expect(secrets.size).toBeGreaterThan(20);
  for (const part of ['dev-only-turn-secret', 'y0F6vc5y87nnIgtZdo05Py0PsDTOmxEIOO3Hnm9nXUs'])
    expect([...secrets].some((secret) => secret.includes(part))).toBe(true);
  expect([...secrets].filter((secret) => secret.includes('PRIVATE KEY'))).not.toHaveLength(0);
});

it('production refuses every secret that is in this repository', () => {
  const accepted = found.filter(({ secret }) => !isRefused(secret));
  expect(accepted.map(({ file, secret }) => `${file}: ${secret}`)).toEqual([]);
});
