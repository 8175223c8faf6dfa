/** What is said of the cause when a system outside fails. */
import { expect, it } from 'vitest';
import { deepestCause } from '../../infra/outsideFault.ts';

const error = (message: string, more: object = {}): Error => Object.assign(new Error(message), more);
const UNTRUSTED = 'its certificate is of an authority that is not trusted here; NODE_EXTRA_CA_CERTS names further ones';

it.each([
  ['nodemailer', error('x', { code: 'ESOCKET', originalCode: 'ECONNREFUSED', address: '127.0.0.1', port: 25 })],
  ['fetch', error('fetch failed', { cause: error('x', { code: 'ECONNREFUSED', address: '127.0.0.1', port: 25 }) })],
  [
    'several addresses',
    error('x', {
      cause: new AggregateError([error('x', { code: 'ECONNREFUSED', address: '127.0.0.1', port: 25 }), error('y')]),
    }),
  ],
])('is the innermost error of %s', (_, failure) => {
  expect(deepestCause(failure)).toBe('nobody listens there (ECONNREFUSED 127.0.0.1:25)');
});

it.each([
  [error('self-signed certificate', { code: 'ESOCKET', originalCode: 'DEPTH_ZERO_SELF_SIGNED_CERT' }), UNTRUSTED],
  [error('Error initiating TLS - self-signed certificate', { code: 'ETLS' }), UNTRUSTED],
  [error('x', { cause: error('y', { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' }) }), UNTRUSTED],
  [error('x', { code: 'ERR_TLS_CERT_ALTNAME_INVALID' }), 'its certificate is for another name'],
  [error('x', { code: 'ENOTFOUND', hostname: 'mail.test' }), 'its name is not known (DNS) (ENOTFOUND mail.test)'],
  [error('x', { code: 'EAUTH', responseCode: 535 }), 'it refuses our user or password (EAUTH 535)'],
  [
    error('x', { name: 'NoSuchBucket', $metadata: { httpStatusCode: 404 } }),
    'there is no such bucket (NoSuchBucket 404)',
  ],
  [AbortSignal.abort(error('x', { name: 'TimeoutError' })).reason, 'it does not answer in time (TimeoutError)'],
  ['a text', 'unknown'],
])('is said in plain words: %#', (failure, words) => {
  expect(deepestCause(failure)).toContain(words);
});

it('repeats nothing that somebody has written', () => {
  const said = deepestCause(error('anna@example.test token=abc', { code: 'see anna@example.test', hostname: 'a b' }));
  expect(said).toBe('Error');
});
