/**
 * The files and connections that a process has open ("file descriptors"). The system limits their number: at the start,
 * clients get no more of them than leaves room for stores and files; what is left is watched.
 */
import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';
import type { Logger } from './log.ts';

interface SystemReport {
  readonly userLimits?: { readonly open_files?: { readonly soft: number | 'unlimited' } };
}

/** How many this process may have open; Infinity where the system does not limit them or does not say. */
export const descriptorLimit = (): number => {
  const { userLimits } = process.report.getReport() as SystemReport;
  const soft = userLimits?.open_files?.soft;
  return typeof soft === 'number' ? soft : Number.POSITIVE_INFINITY;
};

/** How an operator gets more of them. */
export const HOW_TO_RAISE = 'Raise the limit: `ulimit -n`, LimitNOFILE= of systemd, ulimits.nofile of a container.';

/** Fewer than this are too few. */
const FEW = 16;
const EVERY_MS = 1_000;
const NONE_LEFT = /^(EMFILE|ENFILE)$/;

/** Opens `count` files and closes them again. @returns why that cannot be done, if none is left for one of them */
const tryToOpen = (count: number): Error | undefined => {
  const opened: number[] = [];
  try {
    for (let i = 0; i < count; i += 1) opened.push(openSync(devNull, 'r'));
    return undefined;
  } catch (error) {
    return NONE_LEFT.test(String((error as NodeJS.ErrnoException).code)) ? (error as Error) : undefined;
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
  }
};

/** Of this process: there is one limit for all that it does. */
let areFew = false;

/** Whether too few were left when they were last looked at. Always false without `watchDescriptors`. */
export const fewDescriptorsLeft = (): boolean => areFew;

export interface DescriptorWatch {
  /** One line while too few are left. */
  faults(): readonly string[];
  stop(): Promise<void>;
}

/** Looks every second. The log has a line when it begins and one when it is over. */
export const watchDescriptors = (log: Logger): DescriptorWatch => {
  const look = (): void => {
    const err = tryToOpen(FEW);
    areFew = err !== undefined;
    if (err) log.error({ err, limit: descriptorLimit() }, 'too many files and connections are open');
  };
  const watching = setInterval(look, EVERY_MS).unref();
  return {
    faults: () => (areFew ? [`Too many files and connections are open. ${HOW_TO_RAISE}`] : []),
    stop: async () => clearInterval(watching),
  };
};
