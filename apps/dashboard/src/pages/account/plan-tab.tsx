import { account as texts } from '#texts/account';
import type { Reply } from '../../api/call';
import { useRoute } from '../../api/use-route';
import { Amount } from '../../components/amount';
import { Card } from '../../components/card';
import { CopyId } from '../../components/copy-id';
import { Instant } from '../../components/instant';
import { LimitBar } from '../../components/limit-bar';
import { TextLink } from '../../components/link';
import { Part } from '../../components/part';
import { Status } from '../../components/status';
import { exactCount } from '../../format/count';
import facts from '../../components/facts.module.css';
import classes from './account.module.css';
import { IncidentLimits } from './incident-limits';

type Account = Reply<'account'>;

const { plan } = texts;
const PART_HEIGHT = 560;

function Both({ amount: { svc_tokens: tokens, usd } }: { readonly amount: Account['balance']['total'] }) {
  return <><Amount value={tokens} usd={usd} /><div className="muted"><Amount value={tokens} named /></div></>;
}

function PlanCard({ account }: { readonly account: Account }) {
  const { available, reserved, total } = account.balance;
  return (
    <Card title={plan.title} aside={<TextLink to="/billing">{plan.toBilling}</TextLink>}>
      <dl className={facts['facts']}>
        <dt>{plan.plan}</dt><dd>{account.plan.name}</dd>
        <dt>{plan.status}</dt><dd><Status value={account.status} /></dd>
        <dt>{plan.available}</dt><dd><Both amount={available} /></dd>
        <dt>{plan.reserved}</dt><dd><Both amount={reserved} /></dd>
        <dt>{plan.total}</dt><dd><Both amount={total} /></dd>
        <dt>{plan.since}</dt><dd><Instant at={account.created_at} /></dd>
        <dt>{plan.id}</dt><dd><CopyId id={account.id} /></dd>
      </dl>
    </Card>
  );
}

interface CapProps {
  readonly label: string;
  readonly used: number;
  readonly limit: number | null;
}

function Cap({ label, used, limit }: CapProps) {
  if (limit !== null) return <LimitBar label={label} used={used} limit={limit} />;
  return <div className={classes['line']}><span>{label}</span><span className="muted num">{plan.unlimited(exactCount(used))}</span></div>;
}

function LimitsCard({ account: { limits, used } }: { readonly account: Account }) {
  const anew = used.requests_this_minute > 0 || used.tokens_this_minute > 0 ? plan.resetsIn(used.minute_resets_in_seconds) : undefined;
  return (
    <Card title={plan.limits}>
      <div className={classes['limits']}>
        <LimitBar label={plan.requestsPerMinute} used={used.requests_this_minute} limit={limits.requests_per_minute} note={anew} />
        <LimitBar label={plan.tokensPerMinute} used={used.tokens_this_minute} limit={limits.tokens_per_minute} note={anew} />
        <Cap label={plan.tokensPerDay} used={used.tokens_today} limit={limits.tokens_per_day} />
        <Cap label={plan.tokensPerMonth} used={used.tokens_this_month} limit={limits.tokens_per_month} />
        <LimitBar label={plan.keys} used={used.api_keys} limit={limits.api_keys} />
      </div>
      <dl className={facts['facts']}>
        <dt>{plan.concurrent}</dt><dd className="num">{exactCount(limits.concurrent_requests)}</dd>
        <dt>{plan.context}</dt><dd className="num">{plan.contextTokens(exactCount(limits.max_context_tokens))}</dd>
      </dl>
    </Card>
  );
}

export function PlanTab() {
  const query = useRoute('account', {});
  return (
    <Part query={query} height={PART_HEIGHT}>
      {(account) => (
        <div className={classes['column']}>
          <PlanCard account={account} />
          <LimitsCard account={account} />
          {account.limits.models.length > 0 && <IncidentLimits limits={account.limits.models} />}
        </div>
      )}
    </Part>
  );
}
