/** What every role of a process has in common. */
import type { Logger } from '../../infra/log.ts';
import type { Config } from '../config.ts';
import type { HealthLine } from '../healthLine.ts';

/** A role that has started. */
export interface Running {
  /** The address that it listens on, if it listens. */
  readonly address?: string;
  /** What keeps it from what it is for, one line each, in `/health`; `/ready` is then 503. Empty when all is well. */
  faults?(): readonly HealthLine[];
  /** What an operator should know, in `/health`, although the role does what it is for. */
  remarks?(): readonly HealthLine[];
  /** Takes no more work, finishes what has begun and closes what it opened. */
  stop(): Promise<void>;
}

/** Resolves when the role is ready. Rejects, with nothing left open, when it cannot start. */
export type StartRole = (config: Config, log: Logger) => Promise<Running>;
