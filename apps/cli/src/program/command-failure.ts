/** What the process ends with. */
export const EXIT_CODES = { done: 0, failed: 1, misused: 2 } as const;
export type ExitCode = (typeof EXIT_CODES)[keyof typeof EXIT_CODES];

/** A command that cannot do what it was asked; the message is for the operator. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';

  constructor(message: string, readonly exitCode: ExitCode = EXIT_CODES.failed) {
    super(message);
  }
}

/** The command was called wrongly: repeating it as it is cannot help. */
export function misuse(message: string): CommandFailure {
  return new CommandFailure(message, EXIT_CODES.misused);
}
