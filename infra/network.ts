/** Internet addresses, shortened to their network: enough to recognise an attack, too little to recognise a person. */
import { isIPv4, isIPv6 } from 'node:net';

/** The eight numbers of an IPv6 address. */
const hextets = (address: string): number[] => {
  // A URL writes an address in its canonical form: hexadecimal, with one `::` at most.
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = '', tail] = canonical.split('::');
  const numbers = (part: string) => (part === '' ? [] : part.split(':').map((text) => Number.parseInt(text, 16)));
  const [first, last] = [numbers(head), numbers(tail ?? '')];
  return [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last];
};

const networkV4 = (bytes: readonly number[]): string => `${bytes.slice(0, 3).join('.')}.0/24`;

/**
 * The network of an address: /24 for IPv4 (also when it is mapped into IPv6, `::ffff:192.0.2.7`), /48 for IPv6.
 * @returns null for text that is no IP address
 */
export const networkOf = (address: string): string | null => {
  if (isIPv4(address)) return networkV4(address.split('.').map(Number));
  const [withoutZone = ''] = address.split('%');
  if (!isIPv6(withoutZone)) return null;
  const parts = hextets(withoutZone);
  const [g = 0, h = 0] = parts.slice(6);
  if (parts.slice(0, 5).every((part) => part === 0) && parts[5] === 0xffff) return networkV4([g >> 8, g & 255, h >> 8]);
  const [a, b, c] = parts.map((part) => part.toString(16));
  // The canonical form: the longest run of zeros is the one at the end.
  return `${[a, b, c].join(':').replace(/(:0)+$/, '')}::/48`.replace(/^0::/, '::');
};
