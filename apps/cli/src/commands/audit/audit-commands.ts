import { AUDIT_PAGE_MAXIMUM } from '@tollgate/core';
import type { Command } from 'commander';
import type { CommandRuntime } from '../../program/command-runtime.js';
import { pageSizeUpTo, pastTimeValue } from '../../values/option-values.js';
import { type AuditListOptions, listAudit } from './list-audit.js';
import { verifyAuditTrail } from './verify-audit-trail.js';

const USUAL_PAGE = 50;

export function addAuditCommands(program: Command, runtime: CommandRuntime): void {
  const audit = program.command('audit').description('the audit trail');
  audit.command('list').description('who changed what, when and from where, newest first')
    .option('--account <account>', 'only what concerns this account: its id (acct_…) or e-mail address')
    .option('--actor <actor>', 'only acts of operator, owner or system, or of one actor: a person\'s id or e-mail address, or a name given by --as')
    .option('--action <action>', 'only this action, such as account.credited')
    .option('--start <when>', 'a day, a time, or a span back from now such as 7d', pastTimeValue)
    .option('--end <when>', 'the same; not included', pastTimeValue)
    .option('--limit <number>', `the most to list, up to ${AUDIT_PAGE_MAXIMUM}`, pageSizeUpTo(AUDIT_PAGE_MAXIMUM), USUAL_PAGE)
    .option('--cursor <text>', 'read on where an earlier list with the same filters ended')
    .action((options: AuditListOptions, command: Command) => runtime.perform(command, (session) => listAudit(session, options)));
  audit.command('verify').description('recompute the chain of hashes; exit code 1 when an entry was changed, removed or added')
    .action((_options: unknown, command: Command) => {
      runtime.progressOf(command)('Recomputing the chain of hashes …');
      return runtime.perform(command, verifyAuditTrail);
    });
}
