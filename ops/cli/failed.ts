/** An error that an operator can fix: printed as one line, without a stack. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
}
