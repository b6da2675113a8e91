import { money } from '#texts/operator-accounts';
import { hasCode } from '../../../../api/api-error';
import type { Reply } from '../../../../api/call';
import { useRoute } from '../../../../api/use-route';
import { Amount } from '../../../../components/amount';
import { Instant } from '../../../../components/instant';
import { isZero } from '../../../../format/amount';
import { worthOf } from '../acts/booking';
import { refundableOf, refundedOf } from '../acts/charge';
import classes from './dialogs.module.css';

const WHOLE = /^req_\w{8,}$/;

/** `null` while it is not known. */
export type Charge = Reply<'readAnyUsage'> | 'no-request' | 'other-account' | null;

/** `requestId`: as typed. */
export function useCharge(requestId: string, accountId: string): Charge {
  const id = requestId.trim();
  const { data, error, isPlaceholderData } = useRoute('readAnyUsage', { params: { request_id: id } }, { enabled: WHOLE.test(id) });
  if (!WHOLE.test(id)) return null;
  if (hasCode(error, 'not_found')) return 'no-request';
  if (data === undefined || isPlaceholderData) return null;
  return data.account_id === accountId ? data : 'other-account';
}

interface ChargeOfProps {
  readonly charge: Charge;
  /** Dollars for one service token; `undefined` while it is unknown. */
  readonly rate: string | undefined;
}

/** The charge, and the part of it that can still be refunded. */
export function ChargeOf({ charge, rate }: ChargeOfProps) {
  if (charge === null) return null;
  if (typeof charge === 'string') return <output className={classes['warning']}>{charge === 'no-request' ? money.noRequest : money.otherAccount}</output>;
  const [refunded, left] = [refundedOf(charge), refundableOf(charge)];
  const shown = (tokens: string) => <Amount value={tokens} {...(rate === undefined ? {} : { usd: worthOf(tokens, rate) })} />;
  return (
    <output className={classes['charge']}>
      <span><span className="muted">{money.charged}</span> <Amount value={charge.svc_tokens_debited} usd={charge.svc_cost_usd} /> · <Instant at={charge.ended_at} /></span>
      {!isZero(refunded) && <span>{shown(refunded)} {money.refundedBefore}</span>}
      {isZero(left) ? <span>{money.nothingLeft}</span> : <span>{money.upTo} {shown(left)} {money.canBeRefunded}</span>}
    </output>
  );
}
