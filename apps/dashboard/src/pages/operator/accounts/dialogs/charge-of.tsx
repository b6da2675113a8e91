import { money } from '#texts/operator-accounts';
import { hasCode } from '../../../../api/api-error';
import { useRoute } from '../../../../api/use-route';
import { Amount } from '../../../../components/amount';
import { Instant } from '../../../../components/instant';
import classes from './dialogs.module.css';

interface ChargeOfProps {
  readonly requestId: string;
  readonly accountId: string;
}

const WHOLE = /^req_\w{8,}$/;

/** The charge bounds the refunds. */
export function ChargeOf({ requestId, accountId }: ChargeOfProps) {
  const { data, error, isPlaceholderData } = useRoute('readAnyUsage', { params: { request_id: requestId } }, { enabled: WHOLE.test(requestId) });
  if (!WHOLE.test(requestId)) return null;
  if (hasCode(error, 'not_found')) return <output className={classes['warning']}>{money.noRequest}</output>;
  if (data === undefined || isPlaceholderData) return null;
  if (data.account_id !== accountId) return <output className={classes['warning']}>{money.otherAccount}</output>;
  return <output className={classes['after']}><span className="muted">{money.charged}</span><Amount value={data.svc_tokens_debited} usd={data.svc_cost_usd} /> · <Instant at={data.ended_at} /></output>;
}
