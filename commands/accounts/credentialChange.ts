/** Changes of how somebody signs in, as the holder of the account is told of them. */
import type { Recorded } from '../../domain/core/decider.ts';
import type { EventOf } from '../../domain/modules.ts';

/** Stored with jobs and notifications: never renamed. */
export const credentialChanges = [
  'phone',
  'phone_added',
  'phone_removed',
  'email',
  'email_added',
  'email_removed',
  'email_lost',
  'password',
  'password_added',
  'password_removed',
  'provider',
  'provider_removed',
] as const;
export type CredentialChange = (typeof credentialChanges)[number];

const identifierChange = <K extends 'phone' | 'email'>(kind: K, value: string | null, former: string | null) => {
  if (value === null) return `${kind}_removed` as const;
  return former === null ? (`${kind}_added` as const) : kind;
};

export type CredentialEvent = Recorded<
  EventOf<
    'PhoneChanged' | 'EmailChanged' | 'PasswordChanged' | 'PasswordRemoved' | 'ProviderLinked' | 'ProviderUnlinked'
  >
>;

/** Which change the event is. */
export const credentialChangeOf = ({ type, data }: CredentialEvent): CredentialChange => {
  switch (type) {
    case 'PhoneChanged':
      return identifierChange('phone', data.phone, data.former);
    case 'EmailChanged':
      return data.provedElsewhere ? 'email_lost' : identifierChange('email', data.email, data.former);
    case 'PasswordChanged':
      return data.isFirst ? 'password_added' : 'password';
    case 'PasswordRemoved':
      return 'password_removed';
    case 'ProviderLinked':
      return 'provider';
    case 'ProviderUnlinked':
      return 'provider_removed';
  }
};
