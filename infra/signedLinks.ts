/**
 * Links that let whoever has them read something for a time, without a token. They are made in replies and in realtime
 * messages, by whichever process sends them: so a process is given the key once, when it starts.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

export interface LinkSettings {
  /** The same in all processes. */
  readonly key: string;
  /** The base URL of the API. */
  readonly publicUrl: string;
}

let settings: LinkSettings | undefined;

export const signLinksWith = (given: LinkSettings): void => {
  settings = given;
};

const inUse = (): LinkSettings => {
  if (!settings) throw new Error('signed links have no key: call signLinksWith first');
  return settings;
};

const DAY_S = 86_400;
/** Changes are replayed to clients for a day: their links still work then. */
const DAYS = 3;

const signatureOf = (subject: string, expires: number): string =>
  createHmac('sha256', inUse().key).update(`${subject}\u0000${expires}`).digest('base64url').slice(0, 32);

/** The address of a path of the API for clients. */
export const publicLink = (path: string): string => `${inUse().publicUrl}${path}`;

/**
 * The link to a path that works for two to three days after `at`. All links of a day (UTC) are the same, so that what they
 * lead to can be cached.
 * @param subject names what may be read, whatever the path is
 */
export const signedLink = (path: string, subject: string, at: string): string => {
  const expires = (Math.floor(Date.parse(at) / 1_000 / DAY_S) + DAYS) * DAY_S;
  return `${publicLink(path)}?expires=${expires}&signature=${signatureOf(subject, expires)}`;
};

export interface LinkParts {
  /** Seconds since 1970. */
  readonly expires?: number | undefined;
  readonly signature?: string | undefined;
}

/** Whether a link may be used at `at`. `forged` also for one without a signature. */
export const checkLink = (
  subject: string,
  { expires = 0, signature = '' }: LinkParts,
  at: string,
): 'valid' | 'expired' | 'forged' => {
  const [given, right] = [Buffer.from(signature), Buffer.from(signatureOf(subject, expires))];
  if (given.length !== right.length || !timingSafeEqual(given, right)) return 'forged';
  return Date.parse(at) < expires * 1_000 ? 'valid' : 'expired';
};
