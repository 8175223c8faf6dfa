import { describe, expect, it } from 'vitest';
import { networkOf, rateKeyOf } from '../../infra/network.ts';

it.each([
  ['192.0.2.7', '192.0.2.0/24'],
  ['::ffff:192.0.2.7', '192.0.2.0/24'],
  ['::FFFF:c000:207', '192.0.2.0/24'],
  ['2001:db8:abcd:12::7', '2001:db8:abcd::/48'],
  ['2001:0DB8:ABCD:0012:0000:0000:0000:0007', '2001:db8:abcd::/48'],
  ['2001:db8::7', '2001:db8::/48'],
  ['fe80::1%eth0', 'fe80::/48'],
  ['::1', '::/48'],
  ['unknown', null],
  ['192.0.2', null],
  ['', null],
])('the network of %s is %s', (address, network) => expect(networkOf(address)).toBe(network));

describe('what limits count an address as', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['2001:DB8::1', '2001:db8::/64'],
    ['fe80::1%eth0', 'fe80::/64'],
    ['::1', '::/64'],
    ['none', 'none'],
  ])('%s is %s', (address, key) => {
    expect(rateKeyOf(address)).toBe(key);
  });
});
