import {
  assertNever, type Block, type BlockTarget, type BlockTerms, hasBlockEnded, type IncidentLimit, incidentLimitProblem, type Model,
  type ModelSlug, operatorTextProblem, rfc3339, type TokenCount,
} from '@tollgate/core';
import { encodeBlock, encodeIncidentLimit, timeOrNull } from '@tollgate/wire-kit';
import { CommandFailure, misuse, type Report, table } from '../program/terminal.js';
import type { OperatorSession } from '../program/operator-session.js';
import { endTimeValue, type TimeValue } from '../program/option-values.js';

/** The options of commands that block something. */
export interface BlockOptions {
  readonly reason?: string;
  readonly expires?: TimeValue;
}

export const BLOCK_REASON_OPTION = ['--reason <text>', 'why, for operators and the audit trail'] as const;
export const BLOCK_EXPIRES_OPTION = ['--expires <when>', 'when it expires: a day (its end, in UTC), a time, or a span from now such as 45m or 7d', endTimeValue] as const;

/** `null` where none is given. */
export function reasonOf({ reason }: { readonly reason?: string }): string | null {
  const problem = reason === undefined ? null : operatorTextProblem(reason);
  if (problem !== null) throw misuse(`option '--reason <text>' ${problem}`);
  return reason ?? null;
}

export function blockTermsOf(options: BlockOptions, { clock }: OperatorSession): BlockTerms {
  const reason = reasonOf(options);
  const now = clock.now();
  const expiresAt = options.expires?.(now) ?? null;
  if (hasBlockEnded({ expiresAt }, now)) throw misuse('option \'--expires <when>\' is in the past');
  return { reason, expiresAt };
}

/** Blocks an account, a key or a network. */
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

/** All that is blocked, newest first. */
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

export function blockTable(blocks: readonly Block[]): readonly string[] {
  return table(['KIND', 'BLOCKED', 'SINCE', 'UNTIL', 'BY', 'REASON'], blocks.map(({ target, blockedAt, expiresAt, blockedBy, reason }) =>
    [target.kind, target.subject, rfc3339(blockedAt), timeOrNull(expiresAt), blockedBy, reason]));
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

export interface LimitOptions {
  readonly requestsPerMinute?: TokenCount;
  readonly tokensPerMinute?: TokenCount;
  readonly concurrentRequests?: TokenCount;
  readonly expires?: TimeValue;
}

/** Limits each account's requests to one model. Replaces an existing limit. */
export async function limitModel(session: OperatorSession, nameOrAlias: string, options: LimitOptions): Promise<Report> {
  const model = await findModel(session, nameOrAlias);
  const now = session.clock.now();
  const limit: IncidentLimit = {
    model: model.slug,
    setAt: now,
    requestsPerMinute: options.requestsPerMinute ?? null,
    tokensPerMinute: options.tokensPerMinute ?? null,
    concurrentRequests: options.concurrentRequests ?? null,
    expiresAt: options.expires?.(now) ?? null,
  };
  const problem = incidentLimitProblem(limit, now);
  if (problem === 'limits-nothing') throw misuse('at least one of the options --requests-per-minute, --tokens-per-minute and --concurrent-requests is needed');
  if (problem === 'expiry-in-the-past') throw misuse('option \'--expires <when>\' is in the past');
  await session.store.controls.setIncidentLimit(limit, session.act());
  return { json: { incident_limit: encodeIncidentLimit(limit) }, lines: [limitLine(limit)] };
}

/** Also for models that left the catalogue. */
export async function clearLimit(session: OperatorSession, nameOrAlias: string): Promise<Report> {
  const model = await clearedModel(session, nameOrAlias);
  if (model === null) throw new CommandFailure(`no incident limit of ${nameOrAlias} is set`);
  return { json: { model, outcome: 'cleared' }, lines: [`Only the limits of the plans apply to ${model} again.`] };
}

async function clearedModel(session: OperatorSession, nameOrAlias: string): Promise<ModelSlug | null> {
  const { controls } = session.store;
  const written = nameOrAlias as ModelSlug;
  if (await controls.clearIncidentLimit(written, session.act())) return written;
  const model = (await session.modelsOnOffer()).resolve(nameOrAlias);
  return model !== null && await controls.clearIncidentLimit(model.slug, session.act()) ? model.slug : null;
}

async function findModel({ modelsOnOffer }: OperatorSession, nameOrAlias: string): Promise<Model> {
  const models = await modelsOnOffer().catch((cause: unknown) => {
    throw new CommandFailure(`cannot tell whether there is a model ${nameOrAlias}: ${cause instanceof Error ? cause.message : String(cause)} (UPSTREAM_BASE_URL)`);
  });
  const model = models.resolve(nameOrAlias);
  if (model === null) throw misuse(`there is no model ${nameOrAlias}; \`tollgate models list\` shows the models on offer`);
  return model;
}

/** `Each account is limited to 5 requests per minute to sandbox-small, until 2026-11-22T12:00:00.000Z.` */
function limitLine({ model, requestsPerMinute, tokensPerMinute, concurrentRequests, expiresAt }: IncidentLimit): string {
  const limits = [
    requestsPerMinute === null ? null : `${requestsPerMinute} requests per minute`,
    tokensPerMinute === null ? null : `${tokensPerMinute} tokens per minute`,
    concurrentRequests === null ? null : `${concurrentRequests} requests at the same time`,
  ].filter((text) => text !== null);
  const end = expiresAt === null ? 'until the limit is cleared' : `until ${rfc3339(expiresAt)}`;
  return `Each account is limited to ${new Intl.ListFormat('en').format(limits)} to ${model}, ${end}.`;
}
