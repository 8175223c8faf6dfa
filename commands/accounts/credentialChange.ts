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
  'password',
  'password_added',
  'provider',
] as const;
export type CredentialChange = (typeof credentialChanges)[number];

const identifierChange = <K extends 'phone' | 'email'>(kind: K, value: string | null, former: string | null) => {
  if (value === null) return `${kind}_removed` as const;
  return former === null ? (`${kind}_added` as const) : kind;
};

/** Which change the event is. */
export const credentialChangeOf = ({
  type,
  data,
}: Recorded<EventOf<'PhoneChanged' | 'EmailChanged' | 'PasswordChanged' | 'ProviderLinked'>>): CredentialChange => {
  switch (type) {
    case 'PhoneChanged':
      return identifierChange('phone', data.phone, data.former);
    case 'EmailChanged':
      return identifierChange('email', data.email, data.former);
    case 'PasswordChanged':
      return data.isFirst ? 'password_added' : 'password';
    case 'ProviderLinked':
      return 'provider';
  }
};
