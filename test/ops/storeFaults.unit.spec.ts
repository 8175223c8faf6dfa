/** Which errors say that a store is away, and how they are answered. */
import { describe, expect, it, test } from 'vitest';
import { toProblem } from '../../api/http/errors.ts';
import { TimedOut } from '../../infra/retry.ts';
import { isDiskFault, isLocked, isStoreAway, isValueFault } from '../../infra/storeFaults.ts';

const withCode = (code: string, more: object = {}) => Object.assign(new Error('it failed'), { code, ...more });

/** Every class of SQLSTATEs, with some of its errors. https://www.postgresql.org/docs/current/errcodes-appendix.html */
const away = `08000 08003 08006 08001 08004 08007 08P01 25006 25P03 25P04 28000 28P01 3D000 40000 40001 40002 40003 40P01
  53000 53100 53200 53300 53400 55006 55P03 57000 57014 57P01 57P02 57P03 57P04 57P05 58000 58030 58P01 58P02 72000`;
const values = '21000 22000 22001 22003 22021 22P02 22P05 23502 23503 23505 23514 23P01 54000 54001 54023';
/** Faults of the program or of what is stored: nobody would repeat them with success. */
const others = `00000 01000 02000 03000 09000 0A000 0B000 0F000 0L000 0P000 0Z000 20000 24000 25000 25001 25P01 25P02 26000
  27000 2B000 2D000 2F000 34000 38000 39000 3B000 3F000 42501 42601 42703 42804 42P01 42P05 44000 55000 55P02 55P04 F0000
  HV000 P0000 P0001 XX000 XX001 XX002`;

const listed = (codes: string): [string][] => codes.split(/\s+/).map((code) => [code]);

describe('SQLSTATE', () => {
  test.each(listed(away))('%s is a store that is away', (code) => {
    expect([isStoreAway(withCode(code)), isValueFault(withCode(code))]).toEqual([true, false]);
  });
  test.each(listed(values))('%s is about values', (code) => {
    expect([isStoreAway(withCode(code)), isValueFault(withCode(code))]).toEqual([false, true]);
  });
  test.each(listed(others))('%s is a fault', (code) => {
    expect([isStoreAway(withCode(code)), isValueFault(withCode(code))]).toEqual([false, false]);
  });
  it('55P03 is a lock', () => {
    expect([isLocked(withCode('55P03')), isLocked(withCode('57014'))]).toEqual([true, false]);
  });
});

const systemCodes = `ECONNREFUSED ECONNRESET ECONNABORTED EPIPE ETIMEDOUT EHOSTUNREACH EHOSTDOWN ENETUNREACH ENETDOWN ENETRESET
  ENOTFOUND EAI_AGAIN EAI_FAIL EADDRNOTAVAIL ENOTCONN ESHUTDOWN ENOBUFS ENOSPC EDQUOT EIO EROFS EMFILE ENFILE ENOMEM EACCES
  ERR_STREAM_DESTROYED`;
test.each(listed(systemCodes))('the code %s of the system is a store that is away', (code) => {
  expect(isStoreAway(withCode(code))).toBe(true);
});

test.each(['ENOENT', 'EAGAIN'])('%s is one only where a connection was opened', (code) => {
  expect(isStoreAway(withCode(code))).toBe(false);
  expect(isStoreAway(withCode(code, { syscall: 'connect' }))).toBe(true);
});

test.each([
  'Connection terminated',
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Query read timeout',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  'Received unexpected dataRow message from backend.',
])('what the driver says without a code is known: %s', (message) => {
  expect(isStoreAway(new Error(message))).toBe(true);
});

it('takes what ends the connection for a store that is away, whatever its code', () => {
  expect(isStoreAway(withCode('55000', { severity: 'FATAL' }))).toBe(true);
  expect(isStoreAway(withCode('55000', { severity: 'ERROR' }))).toBe(false);
});

it('knows a full disk from its words, and a fault from its cause', () => {
  expect(isDiskFault(new Error('write failed: No space left on device'))).toBe(true);
  expect(isStoreAway(new Error('it did not work', { cause: withCode('57P01') }))).toBe(true);
  expect(isStoreAway(new TimedOut('no answer'))).toBe(true);
});

it.each([undefined, null, 'text', 5, {}, new Error('a bug'), withCode('ERR_ASSERTION'), withCode('EADDRINUSE')])(
  'takes other errors for faults: %s',
  (error) => {
    expect([isStoreAway(error), isValueFault(error), isDiskFault(error)]).toEqual([false, false, false]);
  },
);

it('ends with causes that are their own', () => {
  const error = new Error('round and round');
  error.cause = error;
  expect(isStoreAway(error)).toBe(false);
});

test.each([
  withCode('25006'),
  withCode('ENOTFOUND'),
  withCode('ENOSPC'),
  new Error('Query read timeout'),
  new TimedOut('no answer'),
])('it is answered with 503 and when to repeat', (error) => {
  const { problem, headers } = toProblem(error, 'request');
  expect(problem).toMatchObject({ status: 503, code: 'unavailable' });
  expect(headers['retry-after']).toMatch(/^\d+$/);
});
