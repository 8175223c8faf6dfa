/** Checks return URLs, because an open redirect would help phishing. */
import { Rejected } from '../../domain/core/decider.ts';
import type { CoreDeps } from './deps.ts';

/**
 * The address as it was understood, which is what is stored and compared: others can understand the same text in other
 * ways. @throws Rejected `invalid` for an address that is not on the list
 */
export const checkReturnUrl = (
  { paymentReturnUrls, publicUrl }: Pick<CoreDeps['settings'], 'paymentReturnUrls' | 'publicUrl'>,
  url: string | undefined,
): string => {
  if (url === undefined) return publicUrl;
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  // Non-web schemes have the origin "null": apps are listed as `myapp://host`.
  const origin = parsed && (parsed.origin === 'null' ? `${parsed.protocol}//${parsed.host}` : parsed.origin);
  const href = parsed?.href ?? '';
  if (!origin || !paymentReturnUrls.includes(origin) || parsed?.username || parsed?.password || href.length > 2_000)
    throw new Rejected('invalid', 'The return URL is not at one of the allowed origins.', {
      fields: ['x-return-url', 'return_url'],
    });
  return href;
};
