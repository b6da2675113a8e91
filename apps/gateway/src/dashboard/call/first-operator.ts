import { FIRST_OPERATOR_COMMAND, type PersonDirectory } from '@tollgate/identity';
import type { Logger } from 'pino';

type Operators = Pick<PersonDirectory, 'listOperators'>;

/**
 * The command that makes the first operator; `null` once there is an operator. From then on the store is not queried, since the last operator cannot
 * be removed.
 */
export function firstOperatorCommand(people: Operators): () => Promise<string | null> {
  let hasOperator = false;
  return async () => {
    hasOperator ||= (await people.listOperators()).length > 0;
    return hasOperator ? null : FIRST_OPERATOR_COMMAND;
  };
}

/** Writes one line to the log while there is no operator. */
export async function adviseOnFirstOperator(people: Operators, log: Logger): Promise<void> {
  const command = await firstOperatorCommand(people)();
  if (command !== null) log.warn(`no operator exists yet: on this machine, \`${command}\` makes the first one and prints a link to sign in`);
}
