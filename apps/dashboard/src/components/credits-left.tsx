import { billing as texts } from '#texts/billing';
import type { Reply } from '../api/call';
import { Amount } from './amount';
import classes from './credits-left.module.css';
import { Reference } from './reference';
import { Instant } from './instant';

type Credit = Reply<'listCredits'>['data'][number];

const { columns } = texts.credits;

function Row({ credit: { reference, svc_tokens: amount, left, expires_at: expiresAt }, isOperators }: { readonly credit: Credit; readonly isOperators: boolean }) {
  return (
    <tr>
      <th scope="row">{reference === null ? texts.credits.returned : <Reference reference={reference} isOperators={isOperators} />}</th>
      <td className={classes['number']} data-label={columns.left}><Amount value={left} /></td>
      <td className={classes['number']} data-label={columns.amount}><Amount value={amount} /></td>
      <td data-label={columns.expires}>{expiresAt === null ? <span className="muted">{texts.credits.never}</span> : <Instant at={expiresAt} />}</td>
    </tr>
  );
}

/** Lists the credits in the order in which requests use them: the soonest to expire first. */
export function CreditsLeft({ credits: { data, has_more: hasMore }, isOperators = false }: { readonly credits: Reply<'listCredits'>; readonly isOperators?: boolean }) {
  if (data.length === 0) return <span className="muted">{texts.credits.none}</span>;
  return (
    <>
      <p className={classes['help']}>{texts.credits.help}</p>
      <table className={classes['table']}>
        <thead>
          <tr><th scope="col">{columns.reference}</th><th scope="col" className={classes['number']}>{columns.left}</th><th scope="col" className={classes['number']}>{columns.amount}</th><th scope="col">{columns.expires}</th></tr>
        </thead>
        <tbody>{data.map((credit) => <Row key={credit.ledger_entry} credit={credit} isOperators={isOperators} />)}</tbody>
      </table>
      {hasMore && <p className={classes['help']}>{texts.credits.more}</p>}
    </>
  );
}
