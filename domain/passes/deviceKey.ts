/** Which public keys of phones are taken for codes on a screen. */
import { ed25519 } from '@noble/curves/ed25519.js';

/**
 * Whether a text is an Ed25519 public key (RFC 8032) that only its owner can sign for: a point of the curve, written in the
 * one way that the standard allows, in the group of prime order. For a point of small order, one constant signature fits
 * every eighth message or all of them, so that a picture of the screen would open gates for ever; other points outside the
 * group are judged differently by different gates.
 * @param text 32 bytes, base64url
 */
export const isDeviceKey = (text: string): boolean => {
  try {
    const point = ed25519.Point.fromBytes(Uint8Array.from(Buffer.from(text, 'base64url')));
    return !point.isSmallOrder() && point.isTorsionFree();
  } catch {
    return false;
  }
};
