/** What a seller learns of the guest: what the guest says, otherwise what their profile says. */
import { account } from '../../domain/accounts/account.ts';
import { normalised } from '../../domain/accounts/identity.ts';
import type { Guest } from '../../domain/bookings/guest.ts';
import { Rejected } from '../../domain/core/decider.ts';
import type { CoreDeps } from '../core/deps.ts';
import { FOR_QUOTE } from '../core/handle.ts';

/** As it is sent. Absent: what the profile says, or no change; null: the seller is not told. */
export interface GuestInput {
  readonly guestName?: string | null | undefined;
  readonly guestPhone?: string | null | undefined;
  /** `HH:MM` by the clocks of the place. */
  readonly arrivalTime?: string | null | undefined;
}

const phoneOf = (text: string | null): string | null => {
  if (text === null) return null;
  const phone = normalised('phone', text);
  if (phone === null)
    throw new Rejected('invalid', 'guest_phone is not a phone number. Send it with its country code: +79991234567.', {
      fields: ['guest_phone'],
    });
  return phone;
};

/** The fields that were sent. @throws Rejected `invalid` for a phone number that is none */
export const guestFields = ({ guestName, guestPhone, arrivalTime }: GuestInput): Partial<Guest> => ({
  ...(guestName !== undefined && { name: guestName }),
  ...(guestPhone !== undefined && { phone: phoneOf(guestPhone) }),
  ...(arrivalTime !== undefined && { arrivalTime }),
});

/** The guest of a new booking of an account; their profile may be as old as a quote. @throws Rejected `invalid` */
export const guestOf = async (
  { aggregates }: Pick<CoreDeps, 'aggregates'>,
  userId: string,
  input: GuestInput,
): Promise<Guest> => {
  const { state } = await aggregates.load(account, userId, FOR_QUOTE);
  const profile = state.status === 'none' ? { firstName: '', lastName: '', phone: null } : state;
  const name = `${profile.firstName} ${profile.lastName}`.trim();
  return { name: name === '' ? null : name, phone: profile.phone, arrivalTime: null, ...guestFields(input) };
};
