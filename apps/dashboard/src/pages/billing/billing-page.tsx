import { billing as texts } from '#texts/billing';
import { useRoute, useRouteList } from '../../api/use-route';
import { Amount } from '../../components/amount';
import { Card } from '../../components/card';
import { CreditLine } from '../../components/credit-line';
import { CreditsLeft } from '../../components/credits-left';
import { TextLink } from '../../components/link';
import { Page } from '../../components/page';
import { Part } from '../../components/part';
import type { Reply } from '../../api/call';
import { isZero } from '../../format/amount';
import { UnitsHelp } from '../../components/units-help';
import { useMe } from '../../session/person';
import { AddCredit } from './add-credit';
import { AutomaticTopUp } from './automatic-top-up';
import { MoneyActs } from './money-acts';
import { OwnPayments } from './own-payments';
import { OwnStatements } from './own-statements';
import { RedeemVoucher } from './redeem-voucher';
import classes from './billing.module.css';

const CARD_HEIGHT = 120;
const OFFER_HEIGHT = 200;

function Balance({ account: { balance: { available, reserved } } }: { readonly account: Pick<Reply<'account'>, 'balance'> }) {
  return (
    <div className={classes['balance']}>
      <div className={classes['figure']}>
        <span className="muted">{texts.available} <UnitsHelp /></span>
        <span className={classes['amount']}><Amount value={available.svc_tokens} usd={available.usd} /></span>
        <Amount form="tile" value={available.svc_tokens} named />
      </div>
      {!isZero(reserved.svc_tokens) && (
        <div className={classes['figure']}>
          <span className="muted">{texts.reserved}</span>
          <Amount value={reserved.svc_tokens} usd={reserved.usd} />
          <Amount value={reserved.svc_tokens} named />
        </div>
      )}
    </div>
  );
}

/** The balance of the account, and all of its bookings except charges of requests. */
export function BillingPage() {
  const account = useRoute('account', {});
  const offer = useRoute('readCreditOffer', {});
  const credits = useRoute('listCredits', {});
  const acts = useRouteList('listOwnMoneyActs', {});
  const { settings: { credit_line: creditLine } } = useMe();
  return (
    <Page title={texts.title} help={texts.help} action={<RedeemVoucher />}>
      <Card title={texts.balance} aside={<TextLink to="/usage">{texts.toUsage}</TextLink>}>
        <Part query={account} height={CARD_HEIGHT}>{(data) => <Balance account={data} />}</Part>
        {offer.data?.provider === null && <p className={classes['line']}><CreditLine line={creditLine} /></p>}
      </Card>
      <Card title={texts.credits.title}><Part query={credits} height={CARD_HEIGHT}>{(data) => <CreditsLeft credits={data} />}</Part></Card>
      <Part query={offer} height={OFFER_HEIGHT}>{(data) => <AddCredit offer={data} />}</Part>
      {offer.data?.provider !== undefined && offer.data.provider !== null && <><AutomaticTopUp offer={offer.data} /><OwnPayments /></>}
      <Card title={texts.acts}><MoneyActs list={acts} /></Card>
      <OwnStatements />
    </Page>
  );
}
