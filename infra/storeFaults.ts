/**
 * What an error of a store says about it: the one place that reads SQLSTATEs, codes of the system and texts of the driver.
 * `away` passes by itself or with the help of an operator: whatever was asked for can be asked for again.
 */
import { TimedOut } from './retry.ts';

/**
 * SQLSTATEs after which the same statement can succeed later, as whole classes where all of a class are of that kind.
 * https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const AWAY: Readonly<Record<string, string>> = {
  '08': 'the connection was lost or could not be opened',
  '25006': 'read-only: a standby, or a primary that was demoted',
  '25P03': 'the session was ended because its transaction stood still',
  '25P04': 'the transaction took too long',
  '28': 'the server refuses the user: its password or its rules are being changed',
  '3D000': 'there is no such database: it is being restored',
  '40': 'the transaction was undone because of others, such as a deadlock',
  '53': 'no room on the disk, no memory, or no connection left',
  '55006': 'another session uses the object',
  '55P03': 'another session has locked it for too long',
  '57': 'an operator or a limit ended the statement or the server',
  '58': 'the disk of the server fails',
  '72': 'the snapshot is too old',
};

/** Classes that are about the values of a statement: it fails however often it is repeated. */
const VALUES = ['21', '22', '23', '54'];

/** Without a connection: its name is unknown, nobody listens, nothing answers, or this process can open no socket. */
const NETWORK =
  /^(ECONN\w+|EPIPE|ETIMEDOUT|E(HOST|NET)(UNREACH|DOWN)|ENETRESET|ENOTCONN|ESHUTDOWN|EADDRNOTAVAIL|ENOBUFS|ENOTFOUND|EAI_\w+|ERR_STREAM_\w+|ERR_SOCKET_CLOSED\w*)$/;
/** Of a local socket that is not there, or whose queue is full. */
const LOCAL_SOCKET = /^(ENOENT|EAGAIN)$/;
/** The disk is full or broken, or this process can open no more files, or not these. */
const DISK = /^(ENOSPC|EDQUOT|EIO|EROFS|EMFILE|ENFILE|ENOMEM|EACCES)$/;
/** Native libraries say so in words only. */
const DISK_TEXTS = /No space left|Disk quota|Too many open files/;

/** `pg` has no codes for what it notices itself. */
const DRIVER_TEXTS =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client (has encountered a connection error|was closed) and is not queryable|Cannot use a pool after calling end|Received unexpected \w+ message from backend|received invalid response|The server does not support SSL connections|There was an error establishing an SSL connection)/;

/** A store cannot do at present what it was asked for. Who waits for it may ask again. */
export class StoreAway extends Error {
  override readonly name: string = 'StoreAway';
}

const SQLSTATE = /^[0-9A-Z]{5}$/;
/** Severities after which PostgreSQL closes the connection, whatever the reason. */
const ENDS = new Set<unknown>(['FATAL', 'PANIC']);
/** Causes of causes. */
const DEPTH = 5;

interface Details {
  readonly severity?: unknown;
  readonly code?: unknown;
  readonly syscall?: unknown;
  readonly message?: unknown;
  readonly cause?: unknown;
}
const detailsOf = (error: unknown) => {
  const { severity, code, syscall, message, cause }: Details = typeof error === 'object' && error !== null ? error : {};
  const [says, by, how] = [message, code, syscall].map((value) => String(value ?? ''));
  return { message: says ?? '', code: by ?? '', syscall: how ?? '', isLast: ENDS.has(severity), cause };
};

const isListed = (sqlState: string): boolean =>
  AWAY[sqlState] !== undefined || AWAY[sqlState.slice(0, 2)] !== undefined;

/** Whether a disk is full or broken, or files cannot be opened here. */
export const isDiskFault = (error: unknown): boolean => {
  const { code, message } = detailsOf(error);
  return DISK.test(code) || DISK_TEXTS.test(message);
};

/** Whether a store, or a disk, cannot do at present what it was asked for: it can be asked again later. */
export const isStoreAway = (error: unknown, depth = DEPTH): boolean => {
  const { code, syscall, message, isLast, cause } = detailsOf(error);
  return (
    error instanceof TimedOut ||
    error instanceof StoreAway ||
    isLast ||
    NETWORK.test(code) ||
    (syscall === 'connect' && LOCAL_SOCKET.test(code)) ||
    (SQLSTATE.test(code) && isListed(code)) ||
    DRIVER_TEXTS.test(message) ||
    isDiskFault(error) ||
    (cause !== undefined && depth > 0 && isStoreAway(cause, depth - 1))
  );
};

/** Whether the values of a statement are at fault: data, constraints and limits. */
export const isValueFault = (error: unknown): boolean => {
  const { code } = detailsOf(error);
  return SQLSTATE.test(code) && VALUES.includes(code.slice(0, 2));
};

/** Whether the statement gave up because another session has locked what it needs. */
export const isLocked = (error: unknown): boolean => detailsOf(error).code === '55P03';

/** Whether the statement was given up because it took too long, with or without a lock. */
export const isGivenUp = (error: unknown): boolean => isLocked(error) || detailsOf(error).code === '57014';

/** Whether the server takes no writes: it is a standby, or was the primary. */
export const isReadOnly = (error: unknown): boolean => detailsOf(error).code === '25006';
