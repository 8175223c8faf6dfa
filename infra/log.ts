/**
 * Logs to stdout: a line of JSON for each event, or one for people where a terminal shows it. Secrets and personal data are
 * redacted by key, in every line.
 */
import { isatty } from 'node:tty';
import pino, { type Logger } from 'pino';
import { metrics } from './metrics.ts';
import { createOutages, type Outages } from './outages.ts';
import { output } from './output.ts';
import { knownCause } from './outsideFault.ts';
import { isStoreAway } from './storeFaults.ts';

export type { Logger } from 'pino';
export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';

const SECRET_NAMES = [
  'authorization proxyAuthorization cookie setCookie xApiKey apiKey xAdminToken adminToken password newPassword',
  'currentPassword secret token accessToken refreshToken idToken code pepper signature databaseUrl connectionString',
  'phone email firstName lastName fullName guestName address notes message comment cardNumber pan cvc identifier',
  'accountNumber nominalAccountNumber nominalAccountHolder',
].flatMap((line) => line.split(' '));
const SECRET_KEYS = new Set(SECRET_NAMES.map((name) => name.toLowerCase()));
/** The bindings of a child logger pass only pino's own redaction, which needs every spelling. */
const BINDING_PATHS = [
  ...new Set(SECRET_NAMES.flatMap((name) => [name, name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)])),
];

const REDACTED = '[redacted]';
/**
 * Codes of people are digits, or a mix of letters and digits. Those of errors are replies of servers (554), of the system
 * (ECONNREFUSED, ERR_TLS_CERT_ALTNAME_INVALID), or words (sold_out).
 */
const ERROR_CODE = /^([1-5]\d\d|E[A-Z]{3,}|ERR(_[A-Z\d]+)+|[a-z]+(_[a-z]+)+)$/;
const isErrorCode = (key: unknown, value: unknown): boolean =>
  key === 'code' && (typeof value === 'string' || typeof value === 'number') && ERROR_CODE.test(String(value));

const isSecret = (key: string, value: unknown): boolean =>
  SECRET_KEYS.has(key.replaceAll(/[-_]/g, '').toLowerCase()) && !isErrorCode(key, value);

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};

/**
 * Copies a value without secrets, down to six levels. Errors stay as they are: `serializeError` selects their fields.
 */
const redact = (value: unknown, depth = 0): unknown => {
  if (typeof value === 'bigint') return value.toString();
  if (value === null || typeof value !== 'object' || value instanceof Error) return value;
  if (depth > 6) return '[deep]';
  if (Array.isArray(value)) return value.map((item) => redact(item, depth + 1));
  if (!isPlain(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, isSecret(key, item) ? REDACTED : redact(item, depth + 1)]),
  );
};

/**
 * Selects the fields that help to find the fault. `reason` is the deepest cause in plain words, where it is a connection. A database error's `detail` is left out on purpose: it quotes the
 * row's values.
 */
const serializeError = (error: unknown, depth = 0): unknown => {
  if (!(error instanceof Error)) return redact(error);
  const reason = depth === 0 ? knownCause(error) : undefined;
  const code: unknown = Reflect.get(error, 'code');
  return {
    type: error.name,
    message: error.message,
    ...(reason && { reason }),
    // Where a store is away, it says nothing, and there are many.
    ...(isStoreAway(error) ? {} : { stack: error.stack }),
    ...(typeof code === 'string' || typeof code === 'number' ? { error_code: code } : {}),
    ...(error.cause === undefined || depth > 3 ? {} : { cause: serializeError(error.cause, depth + 1) }),
  };
};

/** The error of a line that says that a store is away, and what cannot be done because of it. */
const awayIn = ([about, message]: readonly unknown[]):
  | { readonly error: Error; readonly message: string }
  | undefined => {
  const error: unknown = typeof about === 'object' && about !== null ? Reflect.get(about, 'err') : undefined;
  return error instanceof Error && typeof message === 'string' && isStoreAway(error) ? { error, message } : undefined;
};

/** Leaves out the lines of an outage between the first one and its end, which has their number. */
const once = (outages: Outages) =>
  function logMethod(this: Logger, args: Parameters<pino.LogFn>, method: pino.LogFn): void {
    const away = awayIn(args);
    if (away) {
      const { error, message } = away;
      metrics.storeFaults.inc({ message });
      const code = Reflect.get(error, 'code') ?? error.name;
      const onEnd = (outage: object) => this.warn({ ...outage, error_code: code }, `over: ${message}`);
      if (!outages.note(`${message} ${String(code)}`, onEnd)) return;
    }
    method.apply(this, args);
  };

/** Rewrites lines of JSON for people. It is loaded only where somebody reads them. */
const forPeople = isatty(1) ? (await import('pino-pretty')).prettyFactory : undefined;
const terminal = (): pino.DestinationStream => {
  const rewrite = forPeople?.({
    colorize: !process.env.NO_COLOR,
    translateTime: 'SYS:HH:MM:ss',
    ignore: 'pid,role',
    messageFormat: '{role}: {msg}',
    singleLine: true,
  });
  return rewrite ? { write: (line) => output.write(rewrite(line)) } : output;
};

/** The process' logger. `role` names the process in every line. Pass errors as `err`. */
export const createLogger = (
  options: { level?: LogLevel; role?: string; destination?: pino.DestinationStream } = {},
): Logger => {
  const log = pino(
    {
      level: options.level ?? 'info',
      base: { role: options.role, pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: (error: unknown) => serializeError(error) },
      hooks: { logMethod: once(createOutages()) },
      formatters: {
        level: (label) => ({ level: label }),
        log: (line) => redact(line) as Record<string, unknown>,
      },
      redact: {
        paths: BINDING_PATHS,
        censor: (value, path) => (isErrorCode(path.at(-1), value) ? value : REDACTED),
      },
    },
    options.destination ?? terminal(),
  );
  if (!options.destination)
    output.onDropped((lines) => log.warn({ lines }, 'lines of the log were lost: the output could not be written'));
  return log;
};
