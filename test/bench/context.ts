/** What the benchmark commands beside the requests that it measures. */
import { randomUUID } from 'node:crypto';

/** The context of a new command of somebody with this role. */
export const contextAs = (role: 'admin' | 'tourist', id = 'bench') => {
  const commandId = randomUUID();
  const actor = { kind: id === 'bench' ? 'system' : 'user', id, role } as const;
  const of = { correlationId: commandId, causationId: commandId, commandId, actor, ip: null };
  return { ...of, at: new Date().toISOString(), isFirstAttempt: true };
};
