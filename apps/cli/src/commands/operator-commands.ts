import { assertNever, foldEmail, PAY_AS_YOU_GO, rfc3339 } from '@tollgate/core';
import { dashboardLink, OPERATOR_LINK_MILLISECONDS, type Person } from '@tollgate/identity';
import type { Command } from 'commander';
import { type CommandRuntime, YES_OPTION } from '../program/command-runtime.js';
import type { OperatorSession } from '../program/operator-session.js';
import { mailAddressValue, nameValue } from '../program/option-values.js';
import { present } from '../program/present.js';
import { CommandFailure } from '../program/command-failure.js';
import { type Report, shortened, table, time } from '../program/report.js';

const OPERATOR_ARGUMENT = ['<operator>', 'their id (person_…) or e-mail address'] as const;

type CreateAction = [email: string, options: { readonly name?: string }, command: Command];
type LinkAction = [operator: string, options: { readonly removeFactors?: true }, command: Command];
type OperatorAction = [operator: string, options: unknown, command: Command];

export function addOperatorCommands(program: Command, runtime: CommandRuntime): void {
  const operators = program.command('operators').description('people who run the platform in the dashboard');
  operators.command('create').description('make a person an operator, and print a link that signs them in once; creates person and account if they do not exist')
    .argument('<email>', 'their e-mail address, which is not verified by mail', mailAddressValue)
    .option('--name <text>', 'the name of a new person (default: the part of the address before the @)', nameValue)
    .action((...[email, { name }, command]: CreateAction) => runtime.perform(command, (session) => createOperator(session, email, name ?? null)));
  operators.command('list').description('all operators, oldest first')
    .action((_options: unknown, command: Command) => runtime.perform(command, listOperators));
  operators.command('link').description('print a new link that signs an operator in once, within 15 minutes; it replaces the previous one; with it an operator sets up a first second factor')
    .argument(...OPERATOR_ARGUMENT)
    .option('--remove-factors', 'if they are lost: remove second factors and recovery codes, and end all sessions')
    .action((...[operator, { removeFactors }, command]: LinkAction) => runtime.perform(command, (session) => linkOperator(session, operator, removeFactors === true)));
  operators.command('remove').description('remove the operator role of a person; the person and the account remain').argument(...OPERATOR_ARGUMENT).option(...YES_OPTION)
    .action(async (...[operator, , command]: OperatorAction) => {
      await runtime.confirm(command, `${operator} can no longer run the platform.`);
      await runtime.perform(command, (session) => removeOperator(session, operator));
    });
}

const LINK_MINUTES = OPERATOR_LINK_MILLISECONDS / 60_000;

async function createOperator(session: OperatorSession, email: string, name: string | null): Promise<Report> {
  const person = await session.operators.appoint({ email, name: name ?? localPart(email), planId: PAY_AS_YOU_GO, by: session.act() });
  const link = await newLink(session, person);
  return {
    json: { ...encode(person), link },
    lines: [`${person.email} (${person.id}) is an operator. This link signs them in once, within ${LINK_MINUTES} minutes, and is shown only once:`, '', link],
  };
}

async function listOperators({ operators }: OperatorSession): Promise<Report> {
  const people = await operators.list();
  const rows = people.map(({ id, email, name, factors, createdAt }) => [id, email, shortened(name), factors.join(', ') || 'none', time(createdAt)]);
  return {
    json: { operators: people.map(encode) },
    lines: people.length === 0 ? ['There is no operator. `tollgate operators create EMAIL` creates one.'] : table(['ID', 'E-MAIL', 'NAME', 'SECOND FACTOR', 'CREATED'], rows),
  };
}

async function linkOperator(session: OperatorSession, idOrEmail: string, withoutFactors: boolean): Promise<Report> {
  const person = await findOperator(session, idOrEmail);
  const removed = withoutFactors && await session.operators.removeFactors(person, session.notices, session.act());
  const link = await newLink(session, person);
  const asked = person.factors.length > 0 && !removed ? ['The link still requires their second factor. If it is lost, use --remove-factors.'] : [];
  return {
    json: { id: person.id, link, factors_removed: removed },
    lines: [
      ...removed ? [`The second factors of ${person.email} were removed, and their sessions have ended.`] : [],
      `This link signs ${person.email} in once, within ${LINK_MINUTES} minutes, and is shown only once:`, '', link, ...asked.flatMap((line) => ['', line]),
    ],
  };
}

async function removeOperator(session: OperatorSession, idOrEmail: string): Promise<Report> {
  const person = await findOperator(session, idOrEmail);
  const outcome = await session.operators.dismiss(person.id, session.act());
  switch (outcome) {
    case 'changed':
    case 'unchanged': return { json: { id: person.id, role: 'owner' }, lines: [`${person.email} (${person.id}) is no longer an operator; the person and the account remain.`] };
    case 'last-operator': throw new CommandFailure(`${person.email} is the last operator; create another one first`);
    case 'no-such-person': throw noSuchOperator(idOrEmail);
    default: return assertNever(outcome);
  }
}

async function findOperator({ operators }: OperatorSession, idOrEmail: string): Promise<Person> {
  const wanted = idOrEmail.includes('@') ? foldEmail(idOrEmail) : idOrEmail;
  const person = (await operators.list()).find(({ id, email }) => id === wanted || email === wanted);
  if (person === undefined) throw noSuchOperator(idOrEmail);
  return person;
}

function noSuchOperator(idOrEmail: string): CommandFailure {
  return new CommandFailure(`there is no operator ${idOrEmail}; \`tollgate operators list\` shows them`);
}

async function newLink(session: OperatorSession, { id }: Person): Promise<string> {
  const token = present(await session.operators.issueLink(id, session.act()), 'the operator');
  return dashboardLink(session.publicUrl(), 'link', token);
}

function localPart(email: string): string {
  return email.slice(0, email.indexOf('@'));
}

function encode({ id, email, name, factors, createdAt }: Person) {
  return { id, email, name, role: 'operator', factors: [...factors], created_at: rfc3339(createdAt) };
}
