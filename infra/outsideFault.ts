/** A system outside, such as a payment provider, refuses or does not answer. Who waits for it may go on without it. */
export class OutsideFault extends Error {}
