import { expect, it } from 'vitest';
import { networkOf } from '../../infra/network.ts';

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
