import {
  type AuditTrail, availableOf, type DaySum, daysUntilRefused, firstOfLastDays, later, MILLISECONDS_PER_DAY, type Plan, promptTokensOf, recentSpending,
  ServiceTokens, type Spent, startOfNextUtcDay, TWO_MONTHS_DAYS, type UsageBucket, type UtcDay,
} from '@tollgate/core';
import type { contract, ReplyOf } from '@tollgate/api-contract';
import { encodeAccount } from '@tollgate/wire-kit';
import type { RefusalCounts } from '../../live/refusal-counts.js';
import { type AccountStatePorts, readAccountState } from '../../routes/account-state.js';
import { encodeRefusals } from '../call/encode-refusals.js';
import { listActivity, type Owned } from './activity.js';
import { encodeUsualRequest, usualRequestOf } from './usual-request.js';

type Overview = ReplyOf<typeof contract.overview>;

export interface Viewed extends Owned {
  readonly plan: Plan;
}

interface OverviewPorts extends AccountStatePorts {
  readonly auditTrail: AuditTrail;
  readonly refusals: RefusalCounts;
}

interface ModelDay extends DaySum, Pick<UsageBucket, 'requests'> {
  readonly tokens: number;
  readonly model: string | null;
}

const SHOWN_DAYS = 30;
const SHOWN_ENTRIES = 5;

function modelDayOf({ group, requests, charged, chargedUsd, ...counts }: UsageBucket): ModelDay {
  const [day = '', ...model] = (group ?? '').split(' ');
  return { day: day as UtcDay, model: model.join(' ') || null, requests, tokens: promptTokensOf(counts) + counts.outputTokens, charged, chargedUsd };
}

function encodeSpent({ charged, usd }: Spent) {
  return { svc_tokens: charged.toString(), usd: usd.toString() };
}

/** Reads the account, its roll-ups, its audit log and its keys, each once. */
export async function readOverview(viewed: Viewed, ports: OverviewPorts): Promise<Overview> {
  const { account, plan } = viewed;
  const now = ports.clock.now();
  const to = startOfNextUtcDay(now);
  const from = later(to, -TWO_MONTHS_DAYS * MILLISECONDS_PER_DAY);
  const [state, buckets, activity, apiUsed] = await Promise.all([
    readAccountState({ account, plan, keyModels: null }, ports),
    ports.usage.summary({ accountId: account.id, from, to, groupBy: 'day-model', limit: 1 }),
    listActivity(viewed, { limit: SHOWN_ENTRIES, cursor: null }, ports),
    ports.keys.hasUsedKey(account.id),
  ]);
  const usual = usualRequestOf(viewed, ports);
  const days = buckets.map(modelDayOf);
  const { today, month, lastMonth, sevenDays } = recentSpending(days, now);
  const firstShown = firstOfLastDays(SHOWN_DAYS, now);
  return {
    object: 'overview',
    account: encodeAccount(state),
    spend: { today: encodeSpent(today), month: encodeSpent(month), last_month: encodeSpent(lastMonth), last_7_days: encodeSpent(sevenDays) },
    usual_request: encodeUsualRequest(usual, state.balance, ports),
    runs_out_in_days: daysUntilRefused(availableOf(state.balance), usual?.needed ?? ServiceTokens.ZERO, { days, now }),
    api_used: apiUsed,
    days: days.filter(({ day }) => day >= firstShown).map(({ day, model, requests, tokens, charged, chargedUsd }) =>
      ({ day, model, requests, tokens, charged: { svc_tokens: charged.toString(), usd: chargedUsd } })),
    activity: activity.data,
    refusals: encodeRefusals(ports.refusals.of(account.id)),
  };
}
