/** The list of who is on duty. */
import { account } from '../../domain/accounts/account.ts';
import { Rejected } from '../../domain/core/decider.ts';
import { ONLY_ONE } from '../../domain/core/schema.ts';
import { type Duty, onDuty, type Shift, sosDuty } from '../../domain/sos/duty.ts';
import type { CommandContext } from '../core/handle.ts';
import type { SosDeps } from './deps.ts';

type Deps = Pick<SosDeps, 'aggregates'>;

export const loadDuty = async ({ aggregates }: Deps): Promise<Duty> => (await aggregates.load(sosDuty, ONLY_ONE)).state;

/** Those of the people who are admins: others could not answer a request. */
const adminsAmong = async ({ aggregates }: Deps, people: readonly string[]): Promise<string[]> => {
  const states = await Promise.all(people.map((person) => aggregates.load(account, person)));
  return people.filter((_, n) => {
    const state = states[n]?.state;
    return state?.status === 'open' && state.role === 'admin';
  });
};

/** Who is on duty at a time, in their order, without those who have ceased to be admins since the list was set. */
export const rescuersOnDuty = (deps: Deps, duty: Duty, at: string): Promise<string[]> =>
  adminsAmong(deps, onDuty(duty, at));

/** Replaces the list. @throws Rejected `invalid` for people who are no admins */
export const setDuty = async (deps: Deps, context: CommandContext, shifts: readonly Shift[]): Promise<Duty> => {
  const people = [...new Set(shifts.map(({ accountId }) => accountId))];
  const admins = await adminsAmong(deps, people);
  const other = people.find((person) => !admins.includes(person));
  if (other !== undefined)
    throw new Rejected('invalid', `Only admins can be on duty, and ${other} is none.`, {
      fields: ['shifts'],
      account_id: other,
    });
  return (await deps.aggregates.handle(sosDuty, ONLY_ONE, { type: 'SetDuty', shifts }, context)).state;
};
