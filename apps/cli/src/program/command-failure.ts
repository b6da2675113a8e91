import { GatewayError } from '@tollgate/core';
import { EXIT_CODES, type ExitCode } from './exit-codes.js';

/** `message` is for the operator. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';

  constructor(message: string, readonly exitCode: ExitCode = EXIT_CODES.failed) {
    super(message);
  }
}

/** A failure because the command was called wrongly: repeating it unchanged fails again. */
export function misuse(message: string): CommandFailure {
  return new CommandFailure(message, EXIT_CODES.misused);
}

/** Turns the core's refusals of invalid input into misuses of the command. */
export async function asMisuse<Result>(act: Promise<Result>): Promise<Result> {
  try {
    return await act;
  } catch (thrown) {
    throw thrown instanceof GatewayError && thrown.code === 'invalid_request' ? misuse(thrown.message) : thrown;
  }
}

/** Like `asMisuse`. Also turns a conflict, and a store that is unavailable, into a `CommandFailure`. */
export async function asFailure<Result>(act: Promise<Result>): Promise<Result> {
  try {
    return await asMisuse(act);
  } catch (thrown) {
    if (!(thrown instanceof GatewayError)) throw thrown;
    throw thrown.code === 'conflict' || thrown.code === 'service_unavailable' ? new CommandFailure(thrown.message) : thrown;
  }
}
