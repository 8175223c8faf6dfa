/** Every reason the domain can refuse a command for. `api/errors.ts` turns the kind into an HTTP status. */
export type RejectionKind =
  | 'not_found'
  | 'conflict'
  | 'invalid'
  | 'forbidden'
  | 'unauthenticated'
  | 'limited'
  | 'unavailable';

const rejection = (kind: RejectionKind, title: string) => ({ kind, title }) as const;

export const rejections = {
  not_found: rejection('not_found', 'Not found'),
  forbidden: rejection('forbidden', 'Not allowed'),
  insufficient_rights: rejection('forbidden', 'Not allowed for this role or key'),
  invalid: rejection('invalid', 'Invalid request'),
  invalid_transition: rejection('conflict', 'Not possible in the present state'),
  conflict: rejection('conflict', 'Conflict'),
  sold_out: rejection('conflict', 'Sold out'),
  hold_expired: rejection('conflict', 'The hold has expired'),
  /** With the facts `reasons`. */
  not_bookable: rejection('conflict', 'Not to be had on these terms'),
  /** With the fact `payment_id`. */
  payment_open: rejection('conflict', 'A payment is under way'),
  refund_too_large: rejection('conflict', 'More than is left of what was paid'),
  /** With the fact `available_minor`. */
  balance_too_low: rejection('conflict', 'More than can be paid out'),
  payment_mismatch: rejection('conflict', 'The provider speaks of another amount'),
  identity_taken: rejection('conflict', 'Already in use by another account'),
  wrong_credentials: rejection('invalid', 'Sign-in data is wrong'),
  token_refused: rejection('unauthenticated', 'Sign in again'),
  /** With the fact `retry_after_s`. */
  too_many_attempts: rejection('limited', 'Too many attempts'),
  /** With the fact `retry_after_s`. */
  sms_unavailable: rejection('unavailable', 'Text messages cannot be sent'),
  /** With the fact `retry_after_s`. */
  identity_provider_away: rejection('unavailable', 'The identity provider is away'),
} as const;

export type RejectionCode = keyof typeof rejections;
