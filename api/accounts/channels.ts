/** Lists of rows whose changes the channels of the caller's account carry. */
import { providerChannel, userChannel } from '../../projections/accounts/channels.ts';
import type { User } from '../http/caller.ts';

interface Asked {
  readonly caller: User;
}

/** What concerns the caller as a customer. */
export const callersChannel = { of: userChannel, id: ({ caller }: Asked) => caller.id };

/** What concerns the caller as a seller. Admins see the rows of all sellers, which no channel carries. */
export const callersSales = {
  of: providerChannel,
  id: ({ caller }: Asked) => (caller.role === 'admin' ? undefined : caller.id),
};
