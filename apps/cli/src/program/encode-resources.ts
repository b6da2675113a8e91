import {
  type Account, type ApiKey, apiKeyState, availableOf, type Balance, type BookedRequest, budgetAt, type Catalogue, type ChargeLine,
  chargeOf, costOfMillion, endOfPeriod, explainCharge, explainLateSettlement, type Instant, type IssuedKey, type JsonObject, keyLimitOf,
  type KeySpending, type LateSettlement, type Model, NO_SPENDING, type Plan, type RefundEntry, type RequestEntry, type Reservation,
  rfc3339, type SpendingLimit, standingOf, type TokenRate, type UsageRecord, type UsageReport,
} from '@tollgate/core';
import { encodeChargeExplanation, encodePlanLimits, encodeUsageRecord, timeOrNull } from '@tollgate/wire-kit';
import type { OperatorSession } from './command-runtime.js';

/** An account as operators see it. */
export function encodeAccount(account: Account, balance: Balance): JsonObject {
  return {
    id: account.id,
    email: account.email,
    name: account.name,
    plan: account.planId,
    status: account.status,
    standing: standingOf(account),
    email_verified: account.emailVerified,
    blocked: account.blocked,
    deletion_due_at: account.deletion === null ? null : rfc3339(account.deletion.dueAt),
    created_at: rfc3339(account.createdAt),
    balance: encodeBalance(balance),
  };
}

/** In service tokens. */
export function encodeBalance(balance: Balance): JsonObject {
  return { total: balance.posted.toString(), reserved: balance.reserved.toString(), available: availableOf(balance).toString() };
}

/** Prices are service tokens per model token. */
export function encodeModel(model: Model, { usdPerServiceToken }: Catalogue): JsonObject {
  const { price } = model;
  return {
    id: model.slug,
    display_name: model.displayName,
    owned_by: model.ownedBy,
    created_at: rfc3339(model.createdAt),
    aliases: model.aliases,
    context_window: model.contextWindowTokens,
    max_output_tokens: model.maxOutputTokens,
    reasoning: model.reasoning,
    reasoning_assumed: model.reasoningAssumed,
    simulated: model.simulated,
    pricing: {
      prompt: price.promptToken,
      cached_prompt: price.cachedPromptToken,
      cache_creation: price.cacheCreationToken,
      output: price.outputToken,
      usd_per_service_token: usdPerServiceToken,
    },
    targets: model.targets.map(({ upstreamId, upstreamModel }) => ({ upstream: upstreamId, model: upstreamModel })),
    fallbacks: model.fallbacks,
  };
}

export function encodePlan({ id, name, limits, excludedModels }: Plan): JsonObject {
  return {
    id,
    name,
    limits: encodePlanLimits(limits),
    excluded_models: [...excludedModels],
  };
}

/** A key, and what counts against its limit in the current period; `null`: it has none. */
export interface KeyView {
  readonly key: ApiKey;
  readonly spending: KeySpending | null;
}

export function encodeKey({ key, spending }: KeyView, now: Instant): JsonObject {
  return {
    id: key.id,
    account_id: key.accountId,
    name: key.name,
    hint: key.hint,
    status: apiKeyState(key, now),
    blocked: key.blocked,
    models: key.models === null ? null : [...key.models],
    limit: key.limit === null ? null : encodeLimit(key.limit, spending ?? NO_SPENDING, now),
    created_at: rfc3339(key.createdAt),
    expires_at: timeOrNull(key.expiresAt),
    revoked_at: timeOrNull(key.revokedAt),
    last_used_at: timeOrNull(key.lastUsedAt),
  };
}

/** Of the period that it is in; service tokens. */
function encodeLimit(limit: SpendingLimit, { spent, reserved }: KeySpending, now: Instant): JsonObject {
  return {
    per: limit.period, amount: limit.amount.toString(), spent: spent.toString(), reserved: reserved.toString(),
    resets_at: rfc3339(endOfPeriod(limit, now)),
  };
}

/** A new key with its secret: the one time it is shown. */
export function encodeIssuedKey({ key, secret }: IssuedKey, spending: KeySpending | null = null): JsonObject {
  return { ...encodeKey({ key, spending }, key.createdAt), secret: secret.reveal() };
}

/** The same for people. */
export function issuedKeyLines({ key, secret }: IssuedKey): readonly string[] {
  const expiry = key.expiresAt === null ? [] : [`It expires at ${rfc3339(key.expiresAt)}.`];
  return [`Key ${key.id} was created. It is shown only once and cannot be recovered:`, secret.reveal(), ...expiry];
}

/** A key with what counts against its limit now. */
export async function viewKey({ store, clock }: OperatorSession, key: ApiKey): Promise<KeyView> {
  const limit = keyLimitOf(key);
  return { key, spending: limit === null ? null : await store.keys.spendingOf(budgetAt(limit, clock.now())) };
}

/** `all models`, or their slugs. */
export function modelsText({ models }: ApiKey): string {
  return models === null ? 'all models' : [...models].join(', ');
}

/** `2.5 of 10 a day`; `null` for a key without a limit. */
export function limitText({ key: { limit }, spending }: KeyView): string | null {
  return limit === null ? null : `${spending?.spent.toString() ?? '0'} of ${limit.amount.toString()} a ${limit.period}`;
}

/** A usage record with the account that it belongs to and the upstream that served, which an operator needs to be told. */
export function encodeOwnedUsageRecord(record: UsageReport): JsonObject {
  return { account_id: record.accountId, ...encodeUsageRecord(record), upstream: record.service?.upstreamId ?? null };
}

/** Everything the books hold of one request. Amounts are decimal strings; missing parts are `null`. */
export function encodeBookedRequest({ reservation, record, late, entries, refunds }: BookedRequest): JsonObject {
  const facts = record ?? reservation?.facts;
  return {
    request_id: facts?.requestId ?? null,
    account_id: facts?.accountId ?? null,
    key_id: facts?.keyId ?? null,
    reservation: reservation === null ? null : encodeReservation(reservation),
    usage: record === null ? null : encodeOwnedUsageRecord({ ...record, reserved: reservation?.amount ?? null, admittedAt: reservation?.createdAt ?? null }),
    charge: record === null ? null : encodeCharge(record),
    late: record === null || late === null ? null : encodeLate(record, late),
    entries: entries.map(encodeEntry),
    refunds: refunds.map(encodeRefund),
  };
}

function encodeReservation({ id, state, amount, ownerId, createdAt, expiresAt }: Reservation): JsonObject {
  return { id, state, set_aside: amount.toString(), owner: ownerId, created_at: rfc3339(createdAt), expires_at: rfc3339(expiresAt) };
}

/** A charge step by step, as its own record has it, with what a million tokens of each class cost. */
export function encodeCharge(record: UsageRecord): JsonObject {
  return { ...encodeChargeExplanation(record), lines: encodeLines(explainCharge(record).lines, record.usdPerServiceToken) };
}

function encodeLines(lines: readonly ChargeLine[], usdPerServiceToken: TokenRate): readonly JsonObject[] {
  return lines.map(({ tokenClass, count, rate, amount }) => {
    const perMillion = costOfMillion(rate);
    const usd = chargeOf(perMillion, usdPerServiceToken).usd.toString();
    return { token_class: tokenClass, tokens: count, rate, per_million: perMillion.toString(), usd_per_million: usd, amount };
  });
}

/** The actual usage of the request, and what was charged for it beyond the record. */
function encodeLate(record: UsageRecord, late: LateSettlement): JsonObject {
  const { ending, charged, writeOff } = late;
  const { lines, computed, coveredBefore, chargedInAll } = explainLateSettlement(record, late);
  return {
    end_reason: ending.reason,
    usage_source: ending.usage.source,
    ended_at: rfc3339(ending.endedAt),
    lines: encodeLines(lines, record.usdPerServiceToken),
    computed: computed.toString(),
    covered_before: coveredBefore.toString(),
    written_off: writeOff.toString(),
    debited: charged.toString(),
    debited_in_all: chargedInAll.amount.toString(),
  };
}

function encodeEntry({ number, kind, debit, credit, amount, at, day, balanceAfter }: RequestEntry): JsonObject {
  return { entry: number, kind, from: debit, to: credit, amount: amount.toString(), at: rfc3339(at), day, balance_after: balanceAfter.toString() };
}

function encodeRefund({ number, debit, credit, amount, reference, reason, at, balanceAfter }: RefundEntry): JsonObject {
  return { entry: number, from: debit, to: credit, amount: amount.toString(), reference, reason, at: rfc3339(at), balance_after: balanceAfter.toString() };
}
