import { ACTOR_KINDS,
  PAGE_SIZES, type Actor, assertNever, type AuditQuery, type AuditRecord, type AuditTrailVerification, foldEmail, type JsonObject, rfc3339,
} from '@tollgate/core';
import type { StoreReader } from '@tollgate/sql-common';
import type { Command } from 'commander';
import type { CommandRuntime } from '../program/command-runtime.js';
import type { OperatorSession } from '../program/operator-session.js';
import { findAccount } from '../program/find-account.js';
import { pageSizeOption } from '../program/option-values.js';
import { type PeriodOptions, withPeriod } from '../program/period-options.js';
import { CommandFailure, misuse } from '../program/command-failure.js';
import { EXIT_CODES } from '../program/exit-codes.js';
import { type Report, tableOr, time } from '../program/report.js';


export function addAuditCommands(program: Command, runtime: CommandRuntime): void {
  const audit = program.command('audit').description('the audit log');
  withPeriod(audit.command('list').description('who changed what, when and from where, newest first'), runtime, 'only what was done')
    .option('--account <account>', 'only what concerns this account: its id (acct_…) or e-mail address')
    .option('--actor <actor>', 'only acts of operator, owner, machine or system, or of one actor: a person\'s id or e-mail address, or a name given by --as')
    .option('--action <action>', 'only this action, such as account.credited')
    .option(...pageSizeOption(PAGE_SIZES.audit.commandLine))
    .option('--cursor <text>', 'continue where an earlier list with the same filters ended')
    .action((options: AuditListOptions, command: Command) => runtime.perform(command, (session) => listAudit(session, options)));
  audit.command('verify').description('check that no entry was changed, removed or added; exit code 1 if one was')
    .action((_options: unknown, command: Command) => {
      runtime.progressOf(command)('Checking the audit log …');
      return runtime.performReading(command, verifyAuditTrail);
    });
}

interface AuditListOptions extends PeriodOptions {
  readonly account?: string;
  readonly actor?: string;
  readonly action?: string;
  readonly limit: number;
  readonly cursor?: string;
}

const KINDS: readonly string[] = ACTOR_KINDS;

async function listAudit(session: OperatorSession, { account, actor, action, from, to, limit, cursor }: AuditListOptions): Promise<Report> {
  const now = session.clock.now();
  const page = await session.store.auditTrail.list({
    accountId: account === undefined ? null : (await findAccount(session, account)).id,
    ...await actorFilter(session, actor),
    action: action ?? null,
    from: from?.(now) ?? null,
    to: to?.(now) ?? null,
    limit,
    cursor: cursor ?? null,
  });
  if (page === null) throw misuse('option \'--cursor <text>\' is not a cursor of the audit log');
  return {
    json: { entries: page.records.map(encodeAuditRecord), next_cursor: page.nextCursor },
    lines: [
      ...tableOr('There is no such entry.', ['ENTRY', 'AT', 'ACTOR', 'FROM', 'ACTION', 'SUBJECT', 'DETAILS'], page.records.map((record) => [
        record.number, time(record.at), `${record.actor.kind} ${record.actor.id}`, originText(record), record.action, record.subject, detailsText(record),
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

/** Encodes an entry; erased parts are `null` or absent. */
function encodeAuditRecord({ number, at, actor, origin, action, subject, accountId, details, texts }: AuditRecord): JsonObject {
  return {
    number,
    at: rfc3339(at),
    actor: { kind: actor.kind, id: actor.id },
    origin: { place: origin.place, user: origin.user, address: origin.address, via: origin.via },
    action,
    subject,
    account_id: accountId,
    details,
    texts,
  };
}

/** For example `command-line olga`, `203.0.113.7` or `203.0.113.7 via machine:mach_1`. `null` for acts of the gateway itself. */
function originText({ origin }: AuditRecord): string | null {
  if (origin.via !== null) return [origin.address, 'via', origin.via].filter((part) => part !== null).join(' ');
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
    case null: return `${entries} entries, all intact`;
    case 'altered': return `entry ${entry} of ${entries} was altered, or the entry before it was rewritten`;
    case 'missing': return `entry ${entry} of ${entries} is missing, although later entries exist`;
    case 'cut-off': return `the log is cut off: of ${entries} entries that were written, ${entry} and all later ones are missing`;
    case 'added': return `entry ${entry} was not written by Tollgate, which wrote ${entries} entries`;
    default: return assertNever(fault);
  }
}
