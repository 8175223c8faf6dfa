/** What admins report of the mountain. */
import { ONLY_ONE } from '../../domain/core/schema.ts';
import { type ReportCommand, type ResortReport, resortReport } from '../../domain/resort/mountainReport.ts';
import type { CommandContext } from '../core/handle.ts';
import type { ResortDeps } from './deps.ts';

/** @throws Rejected `not_found` for snow at an unknown station, `invalid` */
export const report = async (
  { aggregates }: Pick<ResortDeps, 'aggregates'>,
  context: CommandContext,
  command: ReportCommand,
): Promise<ResortReport> => (await aggregates.handle(resortReport, ONLY_ONE, command, context)).state;
