import { type Command, InvalidArgumentError } from 'commander';
import { isDisplayName, isMailAddress } from '@tollgate/core';
import { type CommandRuntime, YES_OPTION } from '../../program/command-runtime.js';
import { createOperator, linkOperator, listOperators, removeOperator } from './operators.js';

const OPERATOR_ARGUMENT = ['<operator>', 'their id (person_…) or e-mail address'] as const;

type CreateAction = [email: string, options: { readonly name?: string }, command: Command];
type OperatorAction = [operator: string, options: unknown, command: Command];

export function addOperatorCommands(program: Command, runtime: CommandRuntime): void {
  const operators = program.command('operators').description('people who run the platform in the dashboard');
  operators.command('create').description('make a person an operator, and print a link that signs them in once; creates person and account where there are none')
    .argument('<email>', 'their address; taken as theirs without a mail', addressValue)
    .option('--name <text>', 'their name, where the person is new (default: the part of the address before the @)', nameValue)
    .action((...[email, { name }, command]: CreateAction) => runtime.perform(command, (session) => createOperator(session, email, name ?? null)));
  operators.command('list').description('all operators, oldest first')
    .action((_options: unknown, command: Command) => runtime.perform(command, listOperators));
  operators.command('link').description('print a new link that signs an operator in once, within 15 minutes; the one before ends').argument(...OPERATOR_ARGUMENT)
    .action((...[operator, , command]: OperatorAction) => runtime.perform(command, (session) => linkOperator(session, operator)));
  operators.command('remove').description('take the role away; person and account stay').argument(...OPERATOR_ARGUMENT).option(...YES_OPTION)
    .action(async (...[operator, , command]: OperatorAction) => {
      await runtime.confirm(command, `${operator} can no longer run the platform.`);
      await runtime.perform(command, (session) => removeOperator(session, operator));
    });
}

function addressValue(text: string): string {
  if (isMailAddress(text)) return text;
  throw new InvalidArgumentError('It must be one e-mail address.');
}

function nameValue(text: string): string {
  if (isDisplayName(text)) return text;
  throw new InvalidArgumentError('It must be one line of 1 to 100 characters.');
}
