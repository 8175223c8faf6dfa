/** The context of a command of one person, as a request makes it. */
import { randomUUID } from 'node:crypto';
import type { CommandContext } from '../../commands/core/handle.ts';

export const contextOf = (userId: string, role = 'tourist', at = new Date().toISOString()): CommandContext => {
  const commandId = randomUUID();
  return {
    correlationId: commandId,
    causationId: commandId,
    commandId,
    actor: { kind: 'user', id: userId, role },
    ip: null,
    at,
  };
};
