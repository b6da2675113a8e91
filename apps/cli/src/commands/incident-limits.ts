import { type IncidentLimit, incidentLimitProblem, type Model, type ModelSlug, rfc3339, type TokenCount } from '@tollgate/core';
import { encodeIncidentLimit } from '@tollgate/wire-kit';
import { CommandFailure, misuse } from '../program/command-failure.js';
import type { OperatorSession } from '../program/operator-session.js';
import type { TimeValue } from '../program/option-values.js';
import type { Report } from '../program/report.js';

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

/** Removes a limit, even of a model that is no longer in the catalogue. */
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
    throw new CommandFailure(`cannot look up the model ${nameOrAlias}: ${cause instanceof Error ? cause.message : String(cause)}. Check UPSTREAM_BASE_URL`);
  });
  const model = models.resolve(nameOrAlias);
  if (model === null) throw misuse(`argument <model>: there is no model ${nameOrAlias}; \`tollgate models list\` shows the models on offer`);
  return model;
}

/** For example `Each account is limited to 5 requests per minute to sandbox-small, until 2026-11-22T12:00:00.000Z.` */
function limitLine({ model, requestsPerMinute, tokensPerMinute, concurrentRequests, expiresAt }: IncidentLimit): string {
  const limits = [
    requestsPerMinute === null ? null : `${requestsPerMinute} requests per minute`,
    tokensPerMinute === null ? null : `${tokensPerMinute} tokens per minute`,
    concurrentRequests === null ? null : `${concurrentRequests} requests at the same time`,
  ].filter((text) => text !== null);
  const end = expiresAt === null ? 'until the limit is cleared' : `until ${rfc3339(expiresAt)}`;
  return `Each account is limited to ${new Intl.ListFormat('en').format(limits)} to ${model}, ${end}.`;
}
