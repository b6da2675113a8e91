import { assertNever, type Block, type BlockTarget, type BlockTerms, hasBlockEnded, operatorTextProblem, rfc3339 } from '@tollgate/core';
import { encodeBlock } from '@tollgate/wire-kit';
import { CommandFailure, misuse } from '../program/command-failure.js';
import type { OperatorSession } from '../program/operator-session.js';
import { endTimeValue, type TimeValue } from '../program/option-values.js';
import { type Report, type ReportPart, table, time } from '../program/report.js';

export interface BlockOptions {
  readonly reason?: string;
  readonly expires?: TimeValue;
}

export const BLOCK_REASON_OPTION = ['--reason <text>', 'why, for operators and the audit log'] as const;
export const BLOCK_EXPIRES_OPTION = ['--expires <when>', 'when it expires: a day (its end, in UTC), a time, or a span from now such as 45m or 7d', endTimeValue] as const;

/** `null` if no reason is given. Throws a misuse if the text is not allowed. */
export function reasonOf({ reason }: { readonly reason?: string }): string | null {
  const flaw = reason === undefined ? null : operatorTextProblem(reason);
  if (flaw !== null) throw misuse(`option '--reason <text>' ${flaw.message}`);
  return reason ?? null;
}

export function blockTermsOf(options: BlockOptions, { clock }: OperatorSession): BlockTerms {
  const reason = reasonOf(options);
  const now = clock.now();
  const expiresAt = options.expires?.(now) ?? null;
  if (hasBlockEnded({ expiresAt }, now)) throw misuse('option \'--expires <when>\' is in the past');
  return { reason, expiresAt };
}

export async function block(session: OperatorSession, target: BlockTarget, options: BlockOptions): Promise<Report> {
  const outcome = await session.blocklist.block({ target, terms: blockTermsOf(options, session), actor: session.actor });
  switch (outcome.outcome) {
    case 'blocked': return reportOf(outcome.block, `${outcome.block.target.subject} is blocked${endText(outcome.block)}.`);
    case 'blocked-already': return reportOf(outcome.block, `${outcome.block.target.subject} was already blocked${endText(outcome.block)}; nothing is changed.`);
    case 'expiry-in-the-past': throw misuse('option \'--expires <when>\' is in the past');
    case 'no-such-subject': throw missing(target);
    case 'refused': throw new CommandFailure(`${outcome.code}: ${outcome.message}`);
    default: return assertNever(outcome);
  }
}

export async function unblock(session: OperatorSession, target: BlockTarget): Promise<Report> {
  const { subject } = target;
  const outcome = await session.blocklist.unblock(target, session.actor);
  if (outcome.outcome === 'refused') throw new CommandFailure(`${outcome.code}: ${outcome.message}`);
  return {
    json: { id: subject, outcome: outcome.outcome },
    lines: [outcome.outcome === 'unblocked' ? `${subject} is no longer blocked.` : `${subject} was not blocked.`],
  };
}

/** Lists all blocked accounts, keys and networks, newest first. */
export async function listBlocks(session: OperatorSession): Promise<Report> {
  const blocks = await allBlocks(session);
  return { json: { blocks: blocks.map(encodeBlock) }, lines: blocks.length === 0 ? ['Nothing is blocked.'] : blockTable(blocks) };
}

const PAGE = 100;

export async function allBlocks({ store, clock }: OperatorSession): Promise<readonly Block[]> {
  const blocks: Block[] = [];
  for (;;) {
    const page = await store.controls.listBlocks({ limit: PAGE, after: blocks.at(-1) ?? null, now: clock.now() });
    blocks.push(...page);
    if (page.length < PAGE) return blocks;
  }
}

export function blockTable(blocks: readonly Block[]): readonly ReportPart[] {
  return table(['KIND', 'BLOCKED', 'SINCE', 'UNTIL', 'BY', 'REASON'], blocks.map(({ target, blockedAt, expiresAt, blockedBy, reason }) =>
    [target.kind, target.subject, time(blockedAt), time(expiresAt), blockedBy, reason]));
}

function missing({ kind, subject }: BlockTarget): Error {
  return kind === 'network' ? misuse(`argument <network> must be an address or a CIDR range: ${subject}`) : new CommandFailure(`there is no ${kind} ${subject}`);
}

function endText({ expiresAt }: Block): string {
  return expiresAt === null ? '' : ` until ${rfc3339(expiresAt)}`;
}

function reportOf(made: Block, line: string): Report {
  return { json: { block: encodeBlock(made) }, lines: [line] };
}
