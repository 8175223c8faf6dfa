/**
 * The stores hold data that this release cannot work with. The message is one sentence that says what an operator must
 * do; it is printed without a stack.
 */
export class IncompatibleData extends Error {
  override readonly name = 'IncompatibleData';
}
