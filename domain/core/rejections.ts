/** Every reason for which the domain refuses a command. `api/http/errors.ts` turns the kind into an HTTP status. */
export type RejectionKind =
  | 'not_found'
  | 'conflict'
  | 'outdated'
  | 'invalid'
  | 'forbidden'
  | 'unauthenticated'
  | 'limited'
  | 'unavailable';

const rejection = <const K extends RejectionKind>(kind: K, title: string) => ({ kind, title }) as const;

export const rejections = {
  not_found: rejection('not_found', 'Not found'),
  forbidden: rejection('forbidden', 'Not allowed'),
  insufficient_rights: rejection('forbidden', 'Insufficient rights'),
  invalid: rejection('invalid', 'Invalid request'),
  invalid_transition: rejection('conflict', 'Not possible in the current state'),
  conflict: rejection('conflict', 'Conflict'),
  /** It passes by itself. With the fact `retry_after_s`. */
  unavailable: rejection('unavailable', 'Service temporarily unavailable'),
  /** With the facts `reasons`: what has to end before the account can be deleted. */
  account_in_use: rejection('conflict', 'The account is still needed'),
  /** With the fact `revision`: the current one. */
  outdated_revision: rejection('outdated', 'Changed meanwhile'),
  /** The part of the product is not open to the caller. */
  module_closed: rejection('forbidden', 'Not available'),
  sold_out: rejection('conflict', 'Sold out'),
  /** With the facts `ids` and `ahead`: what has the bookings, and which. */
  bookings_ahead: rejection('conflict', 'Bookings ahead'),
  too_many_holds: rejection('conflict', 'Too many unpaid bookings'),
  /** With the facts `most` and `listing_id`. */
  too_many_free: rejection('conflict', 'Too many free bookings'),
  /** With the fact `booking_id`: the other one. */
  overlapping_booking: rejection('conflict', 'Another booking at this time'),
  hold_expired: rejection('conflict', 'The hold has expired'),
  /** With the facts `reasons`. */
  not_bookable: rejection('conflict', 'Not bookable'),
  /** With the fact `reason`. */
  promo_refused: rejection('conflict', 'Promo code not applicable'),
  /** With the facts `currency`, `total_minor` and `price_lines`: the new quote. */
  price_changed: rejection('conflict', 'The price has changed'),
  /** With the fact `payment_id`. */
  payment_open: rejection('conflict', 'Another payment is open'),
  /** With the facts `refundable_minor` and `currency`. */
  refund_too_large: rejection('conflict', 'Refund amount too high'),
  /** With the facts `available_minor` and `currency`. */
  balance_too_low: rejection('conflict', 'Balance too low'),
  /** The payer or a seller has not given what the receipt needs. */
  receipt_impossible: rejection('conflict', 'No fiscal receipt possible'),
  payment_mismatch: rejection('conflict', 'Amount mismatch'),
  identity_taken: rejection('conflict', 'Already in use by another account'),
  last_way_in: rejection('conflict', 'The last way to sign in'),
  /** The holder of the account has to do it, while signed in. */
  sign_in_to_link: rejection('forbidden', 'Sign in to link an identity provider'),
  wrong_credentials: rejection('invalid', 'Wrong sign-in data'),
  fresh_proof_required: rejection('forbidden', 'Fresh proof of identity required'),
  token_refused: rejection('unauthenticated', 'Token refused'),
  /** With the fact `call_id`. */
  in_call: rejection('conflict', 'In another call'),
  answered_elsewhere: rejection('conflict', 'Answered on another device'),
  /** With the fact `incident_id`. */
  sos_delayed: rejection('unavailable', 'Kept, not delivered yet'),
  sos_failed: rejection('unavailable', 'Not recorded'),
  turn_unavailable: rejection('unavailable', 'No TURN server'),
  voice_unavailable: rejection('unavailable', 'No voice rooms'),
  /** With the fact `retry_after_s`. */
  too_many_attempts: rejection('limited', 'Too many attempts'),
  /** With the fact `retry_after_s`. */
  upload_limit: rejection('limited', 'Too many uploads'),
  /** With the fact `retry_after_s`. */
  sms_unavailable: rejection('unavailable', 'Text messages cannot be sent'),
  mail_unavailable: rejection('unavailable', 'E-mails cannot be sent'),
  /** What is good for once, such as a code, was used up before it failed: the same request cannot succeed any more. */
  start_again: rejection('conflict', 'Start again'),
  /** With the fact `retry_after_s`. */
  identity_provider_away: rejection('unavailable', 'The identity provider does not respond'),
} as const;

export type RejectionCode = keyof typeof rejections;

/** Codes that say that the request is wrong: whoever gets one is told which field. */
export type InvalidCode = {
  [C in RejectionCode]: (typeof rejections)[C]['kind'] extends 'invalid' ? C : never;
}[RejectionCode];
