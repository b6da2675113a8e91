import type { Reply } from '../../api/call';
import { Amount } from '../../components/amount';
import { Reference } from '../../components/reference';
import { TextLink } from '../../components/link';
import { shortId } from '../../format/id';
import classes from './activity.module.css';

type Booking = NonNullable<Reply<'activity'>['data'][number]['booking']>;

/** Amount, reference and reason of an act of money; a refund leads to its request. */
export function BookingLine({ booking: { svc_tokens: amount, reference, request_id: request, reason } }: { readonly booking: Booking }) {
  return (
    <div className={classes['booking']}>
      <Amount value={amount} /> <span className="muted">· <Reference reference={reference} />{reason !== null && <> · <span title={reason}>{reason}</span></>}
        {request !== null && <> · <TextLink to="/usage/$requestId" params={{ requestId: request }} className="mono" title={request}>{shortId(request)}</TextLink></>}</span>
    </div>
  );
}
