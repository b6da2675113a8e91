import {
  type Actor, assertNever, AUDIT_PAGE_MAXIMUM, type AuditQuery, type AuditRecord, type AuditTrailVerification, foldEmail, type JsonObject, PAY_AS_YOU_GO,
  rfc3339,
} from '@tollgate/core';
import { dashboardLink, OPERATOR_LINK_MILLISECONDS, type Person } from '@tollgate/identity';
import type { StoreReader } from '@tollgate/sql-common';
import type { Command } from 'commander';
import { CommandFailure, EXIT_CODES, misuse, type Report, shortened, table } from '../program/terminal.js';
import { type CommandRuntime, type OperatorSession, YES_OPTION } from '../program/command-runtime.js';
import { findAccount, mailAddressValue, nameValue, pageSizeUpTo, pastTimeValue, present, type TimeValue } from '../program/option-values.js';

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
    .option('--remove-factors', 'for one who has lost them: remove their second factors and recovery codes, and end their sessions')
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
  const rows = people.map(({ id, email, name, factors, createdAt }) => [id, email, shortened(name), factors.join(', ') || 'none', rfc3339(createdAt)]);
  return {
    json: { operators: people.map(encode) },
    lines: people.length === 0 ? ['There is no operator. `tollgate operators create EMAIL` creates one.'] : table(['ID', 'E-MAIL', 'NAME', 'SECOND FACTOR', 'CREATED'], rows),
  };
}

async function linkOperator(session: OperatorSession, idOrEmail: string, withoutFactors: boolean): Promise<Report> {
  const person = await findOperator(session, idOrEmail);
  const removed = withoutFactors && await session.operators.removeFactors(person, session.notices, session.act());
  const link = await newLink(session, person);
  const asked = person.factors.length > 0 && !removed ? ['Their second factor is asked for as at any sign-in; if it is lost, use --remove-factors.'] : [];
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

const USUAL_PAGE = 50;

export function addAuditCommands(program: Command, runtime: CommandRuntime): void {
  const audit = program.command('audit').description('the audit trail');
  audit.command('list').description('who changed what, when and from where, newest first')
    .option('--account <account>', 'only what concerns this account: its id (acct_…) or e-mail address')
    .option('--actor <actor>', 'only acts of operator, owner or system, or of one actor: a person\'s id or e-mail address, or a name given by --as')
    .option('--action <action>', 'only this action, such as account.credited')
    .option('--start <when>', 'a day, a time, or a span back from now such as 7d', pastTimeValue)
    .option('--end <when>', 'the same; not included', pastTimeValue)
    .option('--limit <number>', `maximum number to list, at most ${AUDIT_PAGE_MAXIMUM}`, pageSizeUpTo(AUDIT_PAGE_MAXIMUM), USUAL_PAGE)
    .option('--cursor <text>', 'continue where an earlier list with the same filters ended')
    .action((options: AuditListOptions, command: Command) => runtime.perform(command, (session) => listAudit(session, options)));
  audit.command('verify').description('recompute the chain of hashes; exit code 1 if an entry was changed, removed or added')
    .action((_options: unknown, command: Command) => {
      runtime.progressOf(command)('Recomputing the chain of hashes …');
      return runtime.performReading(command, verifyAuditTrail);
    });
}

interface AuditListOptions {
  readonly account?: string;
  readonly actor?: string;
  readonly action?: string;
  readonly start?: TimeValue;
  readonly end?: TimeValue;
  readonly limit: number;
  readonly cursor?: string;
}

const KINDS: readonly string[] = ['operator', 'owner', 'system'] satisfies readonly Actor['kind'][];

async function listAudit(session: OperatorSession, { account, actor, action, start, end, limit, cursor }: AuditListOptions): Promise<Report> {
  const now = session.clock.now();
  const page = await session.store.auditTrail.list({
    accountId: account === undefined ? null : (await findAccount(session, account)).id,
    ...await actorFilter(session, actor),
    action: action ?? null,
    from: start?.(now) ?? null,
    to: end?.(now) ?? null,
    limit,
    cursor: cursor ?? null,
  });
  if (page === null) throw misuse('option \'--cursor <text>\' is not a cursor of the audit trail');
  return {
    json: { entries: page.records.map(encodeAuditRecord), next_cursor: page.nextCursor },
    lines: [
      ...table(['ENTRY', 'AT', 'ACTOR', 'FROM', 'ACTION', 'SUBJECT', 'DETAILS'], page.records.map((record) => [
        record.number, rfc3339(record.at), `${record.actor.kind} ${record.actor.id}`, originText(record), record.action, record.subject, detailsText(record),
      ])),
      ...(page.nextCursor === null ? [] : [`There are more: --cursor ${page.nextCursor}`]),
    ],
  };
}

async function actorFilter({ store }: OperatorSession, actor: string | undefined): Promise<Pick<AuditQuery, 'actorKind' | 'actorId'>> {
  if (actor === undefined) return { actorKind: null, actorId: null };
  if (KINDS.includes(actor)) return { actorKind: actor as Actor['kind'], actorId: null };
  if (!actor.includes('@')) return { actorKind: null, actorId: actor };
  const record = await store.people.findByEmail(foldEmail(actor));
  if (record === null) throw new CommandFailure(`there is no person ${actor}`);
  return { actorKind: null, actorId: record.person.id };
}

/** An entry of the audit trail for programs. What has been erased is `null` or left out. */
function encodeAuditRecord({ number, at, actor, origin, action, subject, accountId, details, texts }: AuditRecord): JsonObject {
  return {
    number,
    at: rfc3339(at),
    actor: { kind: actor.kind, id: actor.id },
    origin: origin === null ? null : { place: origin.place, user: origin.user, address: origin.address },
    action,
    subject,
    account_id: accountId,
    details,
    texts,
  };
}

/** `command-line olga`, `203.0.113.7`; nothing for what the gateway does by itself. */
function originText({ origin }: AuditRecord): string | null {
  if (origin === null) return null;
  return origin.place === 'gateway' ? origin.address : `command-line${origin.user === null ? '' : ` ${origin.user}`}`;
}

function detailsText({ details, texts }: AuditRecord): string {
  return [...Object.entries(details), ...Object.entries(texts)].filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`).join(' ');
}

async function verifyAuditTrail({ auditTrail }: StoreReader): Promise<Report> {
  const verification = await auditTrail.verifyAuditTrail();
  const { entries, firstBrokenEntry, fault } = verification;
  return {
    json: { entries, first_broken_entry: firstBrokenEntry, fault },
    lines: [verdict(verification)],
    exitCode: firstBrokenEntry === null ? EXIT_CODES.done : EXIT_CODES.failed,
  };
}

function verdict({ entries, firstBrokenEntry: entry, fault }: AuditTrailVerification): string {
  switch (fault) {
    case null: return `${entries} entries, all as they were written`;
    case 'altered': return `entry ${entry} of ${entries} is not as it was written, or does not follow the entry before it, which was rewritten then`;
    case 'missing': return `entry ${entry} of ${entries} is missing, and others follow it`;
    case 'cut-off': return `the trail is cut off: of ${entries} entries that were written, ${entry} and all after it are missing`;
    case 'added': return `entry ${entry} was added otherwise than by Tollgate, which wrote ${entries}`;
    default: return assertNever(fault);
  }
}
