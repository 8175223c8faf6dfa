/** What the erasure of a person does to their incident: it ends, because nobody could find them by it any more. */
import { isActive, sos } from '../../domain/sos/incident.ts';
import { type CommandContext, followUp } from '../core/handle.ts';
import type { SosDeps } from './deps.ts';

export const endErased = async ({ aggregates }: SosDeps, context: CommandContext, person: string): Promise<void> => {
  const { state } = await aggregates.load(sos, person);
  if (state === null || !isActive(state)) return;
  const command = { type: 'ResolveSos', incidentId: state.incidentId, at: context.at } as const;
  await aggregates.handle(sos, person, command, followUp(context, `sos ${state.incidentId}`));
};
