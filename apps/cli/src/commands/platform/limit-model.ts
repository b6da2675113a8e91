import type { IncidentLimit, ModelSlug, TokenCount } from '@tollgate/core';
import { CommandFailure, misuse } from '../../program/command-failure.js';
import type { OperatorSession } from '../../program/operator-session.js';
import type { Report } from '../../program/report.js';
import type { TimeValue } from '../../values/option-values.js';
import { encodeIncidentLimit } from './platform-status.js';

export interface LimitOptions {
  readonly requestsPerMinute?: TokenCount;
  readonly tokensPerMinute?: TokenCount;
  readonly concurrentRequests?: TokenCount;
  readonly expires?: TimeValue;
}

/** Replaces the limit in force for the model. Models that a server lists are not known here, so any name is taken. */
export async function limitModel(session: OperatorSession, model: string, options: LimitOptions): Promise<Report> {
  const now = session.clock.now();
  const limit: IncidentLimit = {
    model: model as ModelSlug,
    requestsPerMinute: options.requestsPerMinute ?? null,
    tokensPerMinute: options.tokensPerMinute ?? null,
    concurrentRequests: options.concurrentRequests ?? null,
    expiresAt: options.expires?.(now) ?? null,
  };
  if (limit.requestsPerMinute === null && limit.tokensPerMinute === null && limit.concurrentRequests === null) {
    throw misuse('at least one of the options --requests-per-minute, --tokens-per-minute and --concurrent-requests is needed');
  }
  if (limit.expiresAt !== null && limit.expiresAt <= now) throw misuse('option \'--expires <when>\' is in the past');
  await session.store.controls.setIncidentLimit(limit, session.act());
  return { json: { incident_limit: encodeIncidentLimit(limit) }, lines: [`The limits of ${model} are lowered.`] };
}

export async function clearLimit(session: OperatorSession, model: string): Promise<Report> {
  const cleared = await session.store.controls.clearIncidentLimit(model as ModelSlug, session.act());
  if (!cleared) throw new CommandFailure(`no limit of ${model} is lowered`);
  return { json: { model, outcome: 'cleared' }, lines: [`The limits of ${model} are those of the plans again.`] };
}
