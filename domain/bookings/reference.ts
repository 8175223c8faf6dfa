/**
 * The short name of a booking, for people: on the phone, at the desk, in a text message. It derives from the booking's
 * id, so that every booking has one, also those made before references existed. It is not a key: among a million bookings,
 * the chance that any two share one is about one in three. A search by reference lists all bookings that have it.
 */

/** 32 characters that nobody confuses: neither O and 0, nor I and 1. */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const LENGTH = 8;
const BITS = 5;

/** @param bookingId a UUID whose last 40 bits are random or a hash, as in versions 4, 5 and 7 */
export const referenceOf = (bookingId: string): string => {
  const bits = BigInt(`0x${bookingId.replaceAll('-', '').slice(-(LENGTH * BITS) / 4)}`);
  return Array.from(
    { length: LENGTH },
    (_, n) => ALPHABET[Number((bits >> BigInt(BITS * (LENGTH - 1 - n))) & 31n)],
  ).join('');
};

/** A reference as people type it: in any letter case, with spaces or dashes. */
export const typedReference = (text: string): string => text.toUpperCase().replaceAll(/[\s-]/g, '');
