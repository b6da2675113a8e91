import { assertNever, dashboardLink, foldEmail, OPERATOR_LINK_MILLISECONDS, PAY_AS_YOU_GO, type Person, rfc3339 } from '@tollgate/core';
import { CommandFailure } from '../../program/command-failure.js';
import type { OperatorSession } from '../../program/operator-session.js';
import type { Report } from '../../program/report.js';
import { table } from '../../program/table.js';
import { present } from '../../values/find-account.js';

const LINK_MINUTES = OPERATOR_LINK_MILLISECONDS / 60_000;

export async function createOperator(session: OperatorSession, email: string, name: string | null): Promise<Report> {
  const person = await session.operators.appoint({ email, name: name ?? localPart(email), planId: PAY_AS_YOU_GO, by: session.act() });
  const link = await newLink(session, person);
  return {
    json: { ...encode(person), link },
    lines: [`${person.email} (${person.id}) is an operator. This link signs them in once, within ${LINK_MINUTES} minutes, and is shown this once:`, '', link],
  };
}

export async function listOperators({ operators }: OperatorSession): Promise<Report> {
  const people = await operators.list();
  const rows = people.map(({ id, email, name, factors, createdAt }) => [id, email, name, factors.join(', ') || 'none', rfc3339(createdAt)]);
  return {
    json: { operators: people.map(encode) },
    lines: people.length === 0 ? ['There is no operator. `tollgate operators create EMAIL` makes one.'] : table(['ID', 'E-MAIL', 'NAME', 'SECOND FACTOR', 'CREATED'], rows),
  };
}

export async function linkOperator(session: OperatorSession, idOrEmail: string): Promise<Report> {
  const person = await findOperator(session, idOrEmail);
  const link = await newLink(session, person);
  return { json: { id: person.id, link }, lines: [`This link signs ${person.email} in once, within ${LINK_MINUTES} minutes, and is shown this once:`, '', link] };
}

export async function removeOperator(session: OperatorSession, idOrEmail: string): Promise<Report> {
  const person = await findOperator(session, idOrEmail);
  const outcome = await session.operators.dismiss(person.id, session.act());
  switch (outcome) {
    case 'changed':
    case 'unchanged': return { json: { id: person.id, role: 'owner' }, lines: [`${person.email} (${person.id}) is no operator any more; person and account stay.`] };
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
