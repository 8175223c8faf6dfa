/** `--reason`: commands show what is personal only to whoever says why, and record it before. */
import { userInfo } from 'node:os';
import { InvalidArgumentError } from 'commander';
import { type Asked, recordShown } from '../../commands/audit/audit.ts';
import { MAX_REASON, reasonIn } from '../../domain/audit/auditLog.ts';
import type { Concealed } from '../../eventstore/concealed.ts';
import { newId } from '../../infra/ids.ts';
import type { CliContext } from './stores.ts';

const reasonText = (text: string): string => {
  const reason = reasonIn(text);
  if (reason === undefined)
    throw new InvalidArgumentError(`not a reason: say why in words, in 1 to ${MAX_REASON} characters`);
  return reason;
};

/** The option, for `option` and `requiredOption`. */
export const withReason = [
  '--reason <text>',
  'why you must see what is personal; it is recorded and shown to the people concerned',
  reasonText,
] as const;

/** The parameters of a command, as they are recorded. */
export const asked = (parameters: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(parameters)
      .filter(([name, value]) => name !== 'reason' && name !== 'json' && value !== undefined)
      .map(([name, value]) => [name, String(value)]),
  );

/** Shows the parts of one command: each person is recorded once, before the first part that has something of them. */
export const revealing = ({ aggregates }: CliContext, { reason, ...read }: Asked) => {
  const recorded = new Set<string>();
  return async <T>({ open, hidden, people }: Concealed<T>): Promise<T> => {
    if (reason === undefined) return hidden;
    const commandId = newId();
    const context = {
      correlationId: commandId,
      causationId: commandId,
      commandId,
      actor: { kind: 'seed', id: `cli:${userInfo().username}`, role: 'operator' },
      ip: null,
      at: new Date().toISOString(),
    } as const;
    const others = people.filter((person) => !recorded.has(person));
    await recordShown({ aggregates }, context, { ...read, reason }, others);
    for (const person of others) recorded.add(person);
    return open;
  };
};
