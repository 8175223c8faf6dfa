/**
 * The stores hold data that this release cannot work with. The message is one sentence that tells an operator what to
 * do; it is printed without a stack.
 */
export class IncompatibleData extends Error {
  override readonly name = 'IncompatibleData';
}
