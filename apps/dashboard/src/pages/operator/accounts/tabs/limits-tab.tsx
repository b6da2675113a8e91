import { common } from '#texts/common';
import { tabs } from '#texts/operator-accounts';
import { Amount } from '../../../../components/amount';
import { Card } from '../../../../components/card';
import { Instant } from '../../../../components/instant';
import { LimitBar } from '../../../../components/limit-bar';
import { exactCount } from '../../../../format/count';
import { ModelLabel } from '../../../models/model-label';
import type { AccountDetail } from '../acts/account-data';
import { TopUpCard } from './top-up-card';
import classes from './tabs.module.css';

function Row({ label, value }: { readonly label: string; readonly value: string }) {
  return <li className={classes['pair']}><span>{label}</span><span className="num">{value}</span></li>;
}

function capped(value: number | null): string {
  return value === null ? common.noLimit : exactCount(value);
}

function Used({ label, used, limit }: { readonly label: string; readonly used: number; readonly limit: number | null }) {
  if (limit === null) return <div className={classes['pair']}><span>{label}</span><span className="muted num">{exactCount(used)} · {common.noLimit}</span></div>;
  return <LimitBar label={label} used={used} limit={limit} />;
}

function Thresholds({ chosen, inForce }: { readonly chosen: readonly string[] | null; readonly inForce: readonly string[] }) {
  return (
    <Card title={tabs.thresholds}>
      <span className="muted">{chosen === null ? tabs.thresholdsDefault : tabs.thresholdsChosen}</span>
      <ul className={classes['list']}>
        {inForce.map((amount) => <li key={amount}><Amount value={amount} named /></li>)}
      </ul>
      {inForce.length === 0 && <span className="muted">{tabs.noThresholds}</span>}
    </Card>
  );
}

export function LimitsTab({ account: { id, limits, used, plan_in_force: plan, alert_thresholds: chosen, alert_thresholds_in_force: inForce } }: { readonly account: AccountDetail }) {
  return (
    <div className={classes['limits']}>
      <Card title={tabs.limitsInUse}>
        <Used label={tabs.requestsPerMinute} used={used.requests_this_minute} limit={limits.requests_per_minute} />
        <Used label={tabs.tokensPerMinute} used={used.tokens_this_minute} limit={limits.tokens_per_minute} />
        <Used label={tabs.tokensPerDay} used={used.tokens_today} limit={limits.tokens_per_day} />
        <Used label={tabs.tokensPerMonth} used={used.tokens_this_month} limit={limits.tokens_per_month} />
        <Used label={tabs.apiKeys} used={used.api_keys} limit={limits.api_keys} />
      </Card>
      <Card title={`${tabs.planLimits}: ${plan.name}`}>
        <ul className={classes['list']}>
          <Row label={tabs.concurrent} value={exactCount(limits.concurrent_requests)} />
          <Row label={tabs.maxContext} value={exactCount(limits.max_context_tokens)} />
          <Row label={tabs.tokensPerDay} value={capped(limits.tokens_per_day)} />
          <Row label={tabs.tokensPerMonth} value={capped(limits.tokens_per_month)} />
        </ul>
      </Card>
      <Thresholds chosen={chosen} inForce={inForce} />
      <TopUpCard accountId={id} />
      <Card title={tabs.incidents}>
        {limits.models.length === 0 && <span className="muted">{tabs.noIncidents}</span>}
        <ul className={classes['list']}>
          {limits.models.map((limit) => (
            <li key={limit.model} className={classes['item']}>
              <strong><ModelLabel id={limit.model} /></strong>
              <span>{tabs.requestsPerMinute}: {capped(limit.requests_per_minute)} · {tabs.tokensPerMinute}: {capped(limit.tokens_per_minute)} · {tabs.concurrent}: {capped(limit.concurrent_requests)}</span>
              {limit.expires_at !== null && <span className="muted">{tabs.until} <Instant at={limit.expires_at} /></span>}
            </li>
          ))}
        </ul>
      </Card>
    </div>
  );
}
