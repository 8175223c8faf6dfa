import { expect, test } from 'vitest';
import { createLogger } from '../../infra/log.ts';

const capture = () => {
  const lines: string[] = [];
  const log = createLogger({ level: 'debug', role: 'spec', destination: { write: (line) => lines.push(line) } });
  return { log, lines, last: () => JSON.parse(lines.at(-1) ?? '{}') as Record<string, unknown> };
};

test('secrets and personal data are redacted at any depth and in any spelling', () => {
  const { log, lines } = capture();
  const HIDDEN = 'hidden-value';
  log.info({
    headers: { Authorization: HIDDEN, cookie: HIDDEN, 'X-API-Key': HIDDEN, 'x-admin-token': HIDDEN },
    user: { email: HIDDEN, phone: HIDDEN, new_password: HIDDEN, deeper: [{ refreshToken: HIDDEN, code: HIDDEN }] },
    token: HIDDEN,
  });
  log.child({ email: HIDDEN, access_token: HIDDEN }).info('child');
  const failure = Object.assign(new Error('duplicate key'), { detail: `Key (email)=(${HIDDEN})`, code: '23505' });
  log.error({ err: new Error('outer', { cause: failure }) }, 'failed');
  expect(lines).toHaveLength(3);
  expect(lines.join('')).not.toContain(HIDDEN);
});

test('an error keeps its code, its stack and its causes', () => {
  const { log, last } = capture();
  log.error({ err: new Error('outer', { cause: Object.assign(new Error('inner'), { code: '23505' }) }) });
  expect(last().err).toMatchObject({ message: 'outer', cause: { message: 'inner', error_code: '23505' } });
});

test('a code of an error is shown, a code of a person is not', () => {
  const { log, last } = capture();
  for (const code of [554, '550', 'ECONNREFUSED', 'ERR_TLS_CERT_ALTNAME_INVALID', 'sold_out']) {
    log.info({ code, deeper: { code } });
    expect(last()).toMatchObject({ code, deeper: { code } });
  }
  for (const code of [123_456, '042137', 'K7QF2M', 'aB3_x', 'summer']) {
    log.info({ code, deeper: { code } });
    expect(last()).toMatchObject({ code: '[redacted]', deeper: { code: '[redacted]' } });
  }
});

test('an error of a connection says its deepest cause in plain words', () => {
  const { log, last } = capture();
  const cause = Object.assign(new Error('x'), { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' });
  log.warn({ err: new TypeError('fetch failed', { cause }) }, 'no answer');
  expect(last().err).toMatchObject({ reason: expect.stringContaining('an authority that is not trusted here') });
  log.warn({ err: new Error('a fault of ours') }, 'failed');
  expect(last().err).not.toHaveProperty('reason');
});

test('positions and cycles are logged as JSON', () => {
  const { log, last } = capture();
  const cycle: Record<string, unknown> = { position: 9007199254740993n };
  cycle.self = cycle;
  log.info({ cycle });
  expect(last()).toMatchObject({ role: 'spec', cycle: { position: '9007199254740993' } });
});
