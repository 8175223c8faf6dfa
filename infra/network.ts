/**
 * Internet addresses, shortened to their network: for the history enough to recognise an attack and too little to
 * recognise a person; for limits what one customer of a provider has.
 */
import { isIPv4, isIPv6 } from 'node:net';
import { LRUCache } from 'lru-cache';

/** The eight numbers of an IPv6 address. */
const hextets = (address: string): number[] => {
  // A URL writes an address in its canonical form: hexadecimal, with one `::` at most.
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = '', tail] = canonical.split('::');
  const numbers = (part: string) => (part === '' ? [] : part.split(':').map((text) => Number.parseInt(text, 16)));
  const [first, last] = [numbers(head), numbers(tail ?? '')];
  return [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last];
};

/** The hextets of an IPv6 address, or the bytes of an IPv4 address, also when it is mapped into IPv6. */
const parse = (address: string): { readonly v4: readonly number[] } | { readonly v6: readonly number[] } | null => {
  if (isIPv4(address)) return { v4: address.split('.').map(Number) };
  const [withoutZone = ''] = address.split('%');
  if (!isIPv6(withoutZone)) return null;
  const parts = hextets(withoutZone);
  const [g = 0, h = 0] = parts.slice(6);
  const isMapped = parts.slice(0, 5).every((part) => part === 0) && parts[5] === 0xffff;
  return isMapped ? { v4: [g >> 8, g & 255, h >> 8, h & 255] } : { v6: parts };
};

/** The first hextets in canonical form: the longest run of zeros is the one at the end. */
const networkV6 = (parts: readonly number[], bits: 48 | 64): string => {
  const first = parts.slice(0, bits / 16).map((part) => part.toString(16));
  return `${first.join(':').replace(/(:0)+$/, '')}::/${bits}`.replace(/^0::/, '::');
};

/**
 * The network of an address: /24 for IPv4 (also when it is mapped into IPv6, `::ffff:192.0.2.7`), /48 for IPv6.
 * @returns null for text that is no IP address
 */
export const networkOf = (address: string): string | null => {
  const parsed = parse(address);
  if (parsed === null) return null;
  return 'v4' in parsed ? `${parsed.v4.slice(0, 3).join('.')}.0/24` : networkV6(parsed.v6, 48);
};

/** Of the addresses that were seen last. */
const rateKeys = new LRUCache<string, string>({ max: 10_000 });

/**
 * What limits count an address as: an IPv4 address itself, the /64 of an IPv6 address, because one customer has at least
 * that many addresses. Text that is no IP address stays as it is.
 */
export const rateKeyOf = (address: string): string => {
  const known = rateKeys.get(address);
  if (known !== undefined) return known;
  const parsed = parse(address);
  const key = parsed === null ? address : 'v4' in parsed ? parsed.v4.join('.') : networkV6(parsed.v6, 64);
  rateKeys.set(address, key);
  return key;
};
