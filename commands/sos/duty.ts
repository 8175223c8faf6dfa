/** The list of who is on duty. */
import { account } from '../../domain/accounts/account.ts';
import { Rejected } from '../../domain/core/decider.ts';
import { ONLY_ONE } from '../../domain/core/schema.ts';
import { type Duty, type Shift, sosDuty } from '../../domain/sos/duty.ts';
import type { CommandContext } from '../core/handle.ts';
import type { SosDeps } from './deps.ts';

type Deps = Pick<SosDeps, 'aggregates'>;

export const loadDuty = async ({ aggregates }: Deps): Promise<Duty> => (await aggregates.load(sosDuty, ONLY_ONE)).state;

/** Replaces the list. @throws Rejected `invalid` for people who are no admins: they could not answer */
export const setDuty = async (deps: Deps, context: CommandContext, shifts: readonly Shift[]): Promise<Duty> => {
  const people = [...new Set(shifts.map(({ accountId }) => accountId))];
  const states = await Promise.all(people.map((person) => deps.aggregates.load(account, person)));
  const other = people.find((_, n) => {
    const state = states[n]?.state;
    return state?.status !== 'open' || state.role !== 'admin';
  });
  if (other !== undefined)
    throw new Rejected('invalid', `Only admins can be on duty, and ${other} is none.`, { account_id: other });
  return (await deps.aggregates.handle(sosDuty, ONLY_ONE, { type: 'SetDuty', shifts }, context)).state;
};
