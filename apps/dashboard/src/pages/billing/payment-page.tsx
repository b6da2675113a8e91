import { useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { common } from '#texts/common';
import { payments as texts } from '#texts/payments';
import { hasCode } from '../../api/api-error';
import type { Reply } from '../../api/call';
import { useRoute } from '../../api/use-route';
import { Amount } from '../../components/amount';
import { Card } from '../../components/card';
import { CopyId } from '../../components/copy-id';
import { CreditExpiry } from '../../components/credit-expiry';
import { Instant } from '../../components/instant';
import { TextLink } from '../../components/link';
import { Note } from '../../components/note';
import { Page } from '../../components/page';
import { Part } from '../../components/part';
import { PaymentStatus } from '../../components/payment-status';
import { exactAmount, isZero } from '../../format/amount';
import { shortInstant } from '../../format/instant';
import { priceOf } from '../../format/price-of';
import { NotFoundPage } from '../../shell/not-found-page';
import facts from '../../components/facts.module.css';

type OwnPayment = Reply<'readPayment'>;

const EVERY = 2_000;
/** Milliseconds for which the page waits for the booking. Most payments arrive within seconds; slow methods take days. */
const WATCHED = 60_000;
const FACTS_HEIGHT = 240;
const { one } = texts;

/** True for the first minute on the page. */
function useWatching(): boolean {
  const [isWatching, setWatching] = useState(true);
  useEffect(() => {
    const timer = window.setTimeout(() => setWatching(false), WATCHED);
    return () => window.clearTimeout(timer);
  }, []);
  return isWatching;
}

function doneText({ svc_tokens: tokens, credit_expires_at: expiresAt }: OwnPayment): string {
  return expiresAt === null ? one.done(exactAmount(tokens)) : one.doneUntil(exactAmount(tokens), shortInstant(expiresAt));
}

function Result({ payment, payment: { state, booked_at: bookedAt, checkout_url: url }, isWatching }: { readonly payment: OwnPayment; readonly isWatching: boolean }) {
  if (state === 'unbookable') return <Note kind="bad" role="alert">{one.unbookable}</Note>;
  if (bookedAt !== null) return <Note kind="good" announced>{doneText(payment)}</Note>;
  if (state !== 'open') return <Note kind="info" announced>{one.ended}</Note>;
  return <Note kind="info" announced action={url === null ? undefined : <a href={url}>{texts.pay}</a>}>{isWatching ? one.waiting : one.late}</Note>;
}

function Facts({ payment }: { readonly payment: OwnPayment }) {
  return (
    <Card title={one.facts}>
      <dl className={facts['facts']}>
        <dt>{one.id}</dt><dd><CopyId id={payment.id} /></dd>
        <dt>{one.state}</dt><dd><PaymentStatus state={payment.state} /></dd>
        <dt>{one.price}</dt><dd className="num">{priceOf(payment)}</dd>
        <dt>{one.tokens}</dt><dd><Amount value={payment.svc_tokens} /></dd>
        <dt>{one.started}</dt><dd><Instant at={payment.created_at} /></dd>
        {payment.booked_at !== null && <><dt>{one.booked}</dt><dd><Instant at={payment.booked_at} /></dd></>}
        <CreditExpiry payment={payment} />
        {!isZero(payment.refunded) && <><dt>{one.refunded}</dt><dd className="num">{priceOf({ amount: payment.refunded, currency: payment.currency })}</dd></>}
        <dt>{one.invoice}</dt><dd>{payment.invoice_url === null ? common.none : <a href={payment.invoice_url} target="_blank" rel="noopener noreferrer">{texts.invoice}</a>}</dd>
      </dl>
    </Card>
  );
}

/** The payment provider redirects to this page. For a minute, it polls until the payment is booked; afterwards it is the receipt. */
export function PaymentPage() {
  const { id } = useParams({ from: '/shell/billing/payments/$id' });
  const client = useQueryClient();
  const isWatching = useWatching();
  const query = useRoute('readPayment', { params: { id } });
  const state = query.data?.state;
  const isOpen = state === 'open';
  useRoute('readPayment', { params: { id } }, { refetchInterval: isOpen && isWatching ? EVERY : false });
  useEffect(() => {
    if (state === undefined || isOpen) return;
    void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'readPayment' });
  }, [client, state, isOpen]);
  if (hasCode(query.error, 'not_found')) return <NotFoundPage />;
  return (
    <Page title={one.title}>
      <div className="in-text"><TextLink to="/billing">{texts.back}</TextLink></div>
      {query.data !== undefined && <Result payment={query.data} isWatching={isWatching} />}
      <Part query={query} height={FACTS_HEIGHT}>{(payment) => <Facts payment={payment} />}</Part>
    </Page>
  );
}
