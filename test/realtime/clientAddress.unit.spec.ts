import { describe, expect, test } from 'vitest';
import { HOUR_MS } from '../../domain/core/instants.ts';
import { addressOf, vouchedAddress, vouchFor } from '../../infra/clientAddress.ts';

describe('the address of a client', () => {
  test.each([
    ['is the peer without a trusted proxy, whatever the header says', '9.9.9.9', '1.1.1.1', 0, '9.9.9.9'],
    ['is what the trusted proxy has appended', '10.0.0.1', '6.6.6.6, 1.1.1.1', 1, '1.1.1.1'],
    [
      'is what the outermost of two trusted proxies has appended',
      '10.0.0.1',
      '6.6.6.6, 1.1.1.1, 10.0.0.2',
      2,
      '1.1.1.1',
    ],
    ['is the peer when there are fewer entries than trusted proxies', '10.0.0.1', '1.1.1.1', 2, '10.0.0.1'],
    ['is the peer when the header is empty', '10.0.0.1', '', 1, '10.0.0.1'],
    ['is plain IPv4 when IPv6 wraps it', '::ffff:9.9.9.9', '', 0, '9.9.9.9'],
  ])('%s', (_, peer, forwardedFor, trustProxy, expected) => {
    expect(addressOf(peer, forwardedFor, trustProxy)).toBe(expected);
  });
});

describe('a vouched address', () => {
  const secrets = { jwtSecret: 'not-a-secret-of-thirty-two-letters', jwtSecretPrevious: undefined };
  const at = Date.parse('2026-11-21T12:00:00Z');
  const header = vouchFor(secrets, '2001:db8::7', 'key-1', at);

  test('is believed for its handshake', () => {
    expect(vouchedAddress(secrets, header, 'key-1', at + 1_000)).toBe('2001:db8::7');
  });

  test('is believed while the secret is being changed', () => {
    const changed = { jwtSecret: 'also-not-a-secret-of-thirty-letters', jwtSecretPrevious: secrets.jwtSecret };
    expect(vouchedAddress(changed, header, 'key-1', at)).toBe('2001:db8::7');
  });

  test.each([
    ['for another handshake', header, 'key-2', at],
    ['with another address', header.replace('::7', '::8'), 'key-1', at],
    ['with another time', header.replace(String(at), String(at + 1)), 'key-1', at],
    ['when it is old', header, 'key-1', at + HOUR_MS],
    ['from the future', header, 'key-1', at - HOUR_MS],
    ['without a MAC', '2001:db8::7', 'key-1', at],
    ['with a cut MAC', header.slice(0, -4), 'key-1', at],
    ['without a time', '2001:db8::7;;x', 'key-1', at],
    ['when there is none', '', 'key-1', at],
    ['by another secret', vouchFor({ ...secrets, jwtSecret: 'x'.repeat(32) }, '1.1.1.1', 'key-1', at), 'key-1', at],
  ])('is not believed %s', (_, value, key, now) => {
    expect(vouchedAddress(secrets, value, key, now)).toBeUndefined();
  });
});
