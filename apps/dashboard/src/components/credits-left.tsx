import { billing as texts } from '#texts/billing';
import type { Reply } from '../api/call';
import { Amount } from './amount';
import classes from './credits-left.module.css';
import { Instant } from './instant';

type Credit = Reply<'listCredits'>['data'][number];

function Row({ credit: { reference, svc_tokens: amount, left, expires_at: expiresAt } }: { readonly credit: Credit }) {
  return (
    <tr>
      <th scope="row"><span className="mono" title={reference ?? ''}>{reference ?? texts.credits.returned}</span></th>
      <td className={classes['number']}><Amount value={left} /></td>
      <td className={classes['number']}><Amount value={amount} /></td>
      <td>{expiresAt === null ? <span className="muted">{texts.credits.never}</span> : <Instant at={expiresAt} />}</td>
    </tr>
  );
}

/** The soonest to expire first, as requests use them. */
export function CreditsLeft({ credits: { data, has_more: hasMore } }: { readonly credits: Reply<'listCredits'> }) {
  if (data.length === 0) return <span className="muted">{texts.credits.none}</span>;
  const { columns } = texts.credits;
  return (
    <>
      <p className={classes['help']}>{texts.credits.help}</p>
      <table className={classes['table']}>
        <thead>
          <tr><th scope="col">{columns.reference}</th><th scope="col" className={classes['number']}>{columns.left}</th><th scope="col" className={classes['number']}>{columns.amount}</th><th scope="col">{columns.expires}</th></tr>
        </thead>
        <tbody>{data.map((credit) => <Row key={credit.ledger_entry} credit={credit} />)}</tbody>
      </table>
      {hasMore && <p className={classes['help']}>{texts.credits.more}</p>}
    </>
  );
}
