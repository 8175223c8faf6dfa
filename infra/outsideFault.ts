/** Faults of systems outside (mail, sign-in, files, SMS, push, voice, payments), and what they say about their cause. */

/** A system outside, such as a payment provider, refuses or does not answer. Who waits for it may go on without it. */
export class OutsideFault extends Error {
  /** It lasts until somebody repairs it: trying again does not help before. */
  readonly isForGood: boolean;
  /** @param options by default, the cause says whether it is for good */
  constructor(message: string, options: ErrorOptions & { readonly isForGood?: boolean } = {}) {
    super(message, options);
    this.isForGood = options.isForGood ?? isTlsFault(options.cause);
  }
}

const [UNTRUSTED, NO_TLS, UNKNOWN_NAME, CLOSED, SILENT, NO_WAY] = [
  'its certificate is of an authority that is not trusted here; NODE_EXTRA_CA_CERTS names further ones: set it to the file of that authority',
  'it does not speak TLS there, or no version that both know',
  'its name is not known (DNS)',
  'it closed the connection',
  'it does not answer in time',
  'there is no way to it in the network',
];

/** What codes of Node, undici, nodemailer, the AWS client and PostgreSQL mean. The first that fits. */
const WORDS: readonly (readonly [pattern: RegExp, words: string])[] = [
  [/^(DEPTH_ZERO_)?SELF_SIGNED_CERT|^UNABLE_TO_(GET_ISSUER_CERT|VERIFY_LEAF_SIGNATURE)|^CERT_UNTRUSTED$/, UNTRUSTED],
  [/^CERT_HAS_EXPIRED$/, 'its certificate has expired'],
  [/^CERT_NOT_YET_VALID$/, 'its certificate is not valid yet, or the clock here is wrong'],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, 'its certificate is for another name'],
  [/^(CERT_|ERR_TLS_)/, 'its certificate is not valid'],
  [/^(EPROTO$|ERR_SSL_)/, NO_TLS],
  [/^ETLS$/, 'TLS could not be begun'],
  [/^(ENOTFOUND|EAI_\w+|EDNS)$/, UNKNOWN_NAME],
  [/^ECONNREFUSED$/, 'nobody listens there'],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET|ECONNECTION|ERR_HTTP2_\w+|ERR_STREAM_\w+)$/, CLOSED],
  [
    /^(ETIMEDOUT|ESOCKETTIMEDOUT|TimeoutError|AbortError|RequestTimeout|ABORT_ERR|UND_ERR_\w*TIMEOUT|TimedOut)$/,
    SILENT,
  ],
  [/^(E(HOST|NET)(UNREACH|DOWN)|EADDRNOTAVAIL)$/, NO_WAY],
  [/^(EAUTH|28P01|28000)$/, 'it refuses our user or password'],
  [/^3D000$/, 'it has no database of this name'],
  [/^53300$/, 'it has no connection left'],
  [/^(InvalidAccessKeyId|SignatureDoesNotMatch|AccessDenied|InvalidToken)$/, 'it refuses our key or its rights'],
  [/^CredentialsProviderError$/, 'no access key was found, neither in the settings nor on this machine'],
  [/^ForeignAnswer$/, 'something else answers in its place, such as a proxy'],
  [/^NoSuchBucket$/, 'there is no such bucket'],
];
/** Where a library keeps only the words of a TLS error. */
const TLS_TEXTS: readonly (readonly [pattern: RegExp, words: string])[] = [
  [/self[- ]signed|unable to (verify|get)/i, UNTRUSTED],
  [/certificate has expired/i, 'its certificate has expired'],
  [/does not match certificate|altnames/i, 'its certificate is for another name'],
  [/wrong version number|packet length too long|disconnected before secure TLS/i, NO_TLS],
];

interface Details {
  readonly name?: unknown;
  readonly message?: unknown;
  readonly code?: unknown;
  /** nodemailer keeps the system's code here, and has its own in `code`. */
  readonly originalCode?: unknown;
  readonly cause?: unknown;
  readonly errors?: unknown;
  readonly address?: unknown;
  readonly hostname?: unknown;
  readonly host?: unknown;
  readonly port?: unknown;
  readonly status?: unknown;
  readonly responseCode?: unknown;
  readonly $metadata?: { readonly httpStatusCode?: unknown };
}

/** Causes of causes. */
const DEPTH = 6;
const detailsOf = (error: unknown): Details => (typeof error === 'object' && error !== null ? error : {});

/** The innermost error that says something. Where several addresses were tried, the first one. */
const innermost = (error: unknown, depth = DEPTH): Details => {
  const { cause, errors } = detailsOf(error);
  const next: unknown = Array.isArray(errors) && errors.length > 0 ? errors[0] : cause;
  return depth > 0 && next instanceof Error ? innermost(next, depth - 1) : detailsOf(error);
};

/** Codes are words without spaces: nothing that a person or a server has written. */
const CODE = /^([A-Za-z][\w.-]{1,60}|\d[\dA-Z]{4})$/;
const asCode = (value: unknown): string | undefined =>
  typeof value === 'string' && CODE.test(value) ? value : undefined;
const HOST = /^[\w.:[\]-]{1,255}$/;

const placeOf = ({ address, hostname, host, port }: Details): string => {
  const place = [address, hostname, host].find((value) => typeof value === 'string' && HOST.test(value));
  return place === undefined ? '' : ` ${String(place)}${typeof port === 'number' ? `:${port}` : ''}`;
};

const statusOf = ({ responseCode, status, $metadata }: Details): string =>
  [responseCode, status, $metadata?.httpStatusCode]
    .filter((value) => typeof value === 'number' && value >= 100)
    .slice(0, 1)
    .map((value) => ` ${String(value)}`)
    .join('');

/** Certificates and versions of TLS: nothing of that passes by itself. */
const OF_TLS = /^(its certificate|it does not speak TLS)/;

const wordsOf = (code: string, message: unknown): string | undefined =>
  (code === 'ETLS' || code === 'ESOCKET'
    ? TLS_TEXTS.find(([pattern]) => pattern.test(String(message)))?.[1]
    : undefined) ?? WORDS.find(([pattern]) => pattern.test(code))?.[1];

const causeIn = (error: unknown): { readonly words: string | undefined; readonly exact: string } => {
  const inner = innermost(error);
  const code = asCode(inner.originalCode) ?? asCode(inner.code) ?? asCode(inner.name) ?? 'unknown';
  return { words: wordsOf(code, inner.message), exact: `${code}${statusOf(inner)}${placeOf(inner)}` };
};

/** Whether the connection failed because of TLS, such as an untrusted certificate, which lasts until somebody repairs it. */
export const isTlsFault = (error: unknown): boolean => OF_TLS.test(causeIn(error).words ?? '');

/** As `deepestCause`; undefined for an error that may be about anything else than a connection. */
export const knownCause = (error: unknown): string | undefined => {
  const { words, exact } = causeIn(error);
  return words && `${words} (${exact})`;
};

/**
 * Why a system outside failed, in plain words, with the code: `nobody listens there (ECONNREFUSED 127.0.0.1:25)`. It never
 * repeats what the system or a person has written, so that it can be logged and shown to operators.
 */
export const deepestCause = (error: unknown): string => knownCause(error) ?? causeIn(error).exact;
