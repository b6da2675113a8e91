import { Button, Table } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { common } from '#texts/common';
import { operatorPayments as texts } from '#texts/operator-payments';
import { payments } from '#texts/payments';
import { hasCode } from '../../../api/api-error';
import { call, type Reply } from '../../../api/call';
import { useRoute } from '../../../api/use-route';
import { AccountName } from '../../../components/account-name';
import { Amount } from '../../../components/amount';
import { Card } from '../../../components/card';
import { CopyId } from '../../../components/copy-id';
import { CreditExpiry } from '../../../components/credit-expiry';
import { FormProblem } from '../../../components/form-problem';
import { Instant } from '../../../components/instant';
import { TextLink } from '../../../components/link';
import { Note } from '../../../components/note';
import { Page } from '../../../components/page';
import { Part } from '../../../components/part';
import { PaymentStatus } from '../../../components/payment-status';
import { priceOf } from '../../../format/price-of';
import { NotFoundPage } from '../../../shell/not-found-page';
import { RefundDialog } from './refund-dialog';
import facts from '../../../components/facts.module.css';
import classes from './payments.module.css';

type Payment = Reply<'readAnyPayment'>;

const HEIGHT = 360;
const REFUNDABLE: ReadonlySet<string> = new Set(['paid', 'partly-refunded', 'dispute-won', 'unbookable']);
const { one } = texts;
const { one: common1 } = payments;

function Facts({ payment }: { readonly payment: Payment }) {
  const { currency } = payment;
  return (
    <Card title={one.facts}>
      <dl className={facts['facts']}>
        <dt>{common1.id}</dt><dd><CopyId id={payment.id} /></dd>
        <dt>{one.account}</dt><dd><AccountName id={payment.account_id} /></dd>
        <dt>{common1.state}</dt><dd><PaymentStatus state={payment.state} /></dd>
        {payment.problem !== null && <><dt>{one.problem}</dt><dd>{one.problems[payment.problem]}</dd></>}
        <dt>{common1.price}</dt><dd className="num">{priceOf(payment)}</dd>
        <dt>{common1.tokens}</dt><dd><Amount value={payment.svc_tokens} /></dd>
        <dt>{one.refunded}</dt><dd className="num">{priceOf({ amount: payment.refunded, currency })}</dd>
        <dt>{one.uncovered}</dt><dd><Amount value={payment.svc_tokens_uncovered} /></dd>
        <dt>{one.provider}</dt><dd>{payment.provider}</dd>
        <dt>{common1.started}</dt><dd><Instant at={payment.created_at} /></dd>
        <dt>{common1.booked}</dt><dd>{payment.booked_at === null ? common.none : <Instant at={payment.booked_at} />}</dd>
        <CreditExpiry payment={payment} />
        <dt>{one.checked}</dt><dd>{payment.checked_at === null ? one.never : <Instant at={payment.checked_at} />}</dd>
        <dt>{common1.invoice}</dt><dd>{payment.invoice_url === null ? common.none : <a href={payment.invoice_url} target="_blank" rel="noopener noreferrer">{payments.invoice}</a>}</dd>
      </dl>
    </Card>
  );
}

function Adjustments({ payment: { adjustments, requested_refunds: requested, currency } }: { readonly payment: Payment }) {
  if (adjustments.length === 0 && requested.length === 0) return <Card title={texts.adjustments}><p className="muted">{texts.noAdjustments}</p></Card>;
  return (
    <Card title={texts.adjustments}>
      <Table>
        <Table.Tbody>
          {adjustments.map(({ id, kind, amount, status, svc_tokens_uncovered: uncovered }) => (
            <Table.Tr key={id}>
              <Table.Td>{texts.kinds[kind]}</Table.Td><Table.Td>{texts.adjustmentStates[status]}</Table.Td><Table.Td className="num">{priceOf({ amount, currency })}</Table.Td>
              <Table.Td><span className="muted">{one.uncovered}</span> <Amount value={uncovered} /></Table.Td>
            </Table.Tr>
          ))}
          {requested.map(({ id, amount, state, requested_at: at }) => (
            <Table.Tr key={id}>
              <Table.Td>{texts.requested}</Table.Td><Table.Td>{texts.adjustmentStates[state]}</Table.Td><Table.Td className="num">{priceOf({ amount, currency })}</Table.Td><Table.Td><Instant at={at} /></Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Card>
  );
}

function OnePayment({ id }: { readonly id: string }) {
  const client = useQueryClient();
  const query = useRoute('readAnyPayment', { params: { id } });
  const [isRefunding, setRefunding] = useState(false);
  const [done, setDone] = useState<string | null>(null);
  const refresh = (text: string) => {
    setDone(text);
    void client.invalidateQueries();
  };
  const check = useMutation({ mutationFn: () => call('checkPayment', { params: { id } }), onSuccess: () => refresh(texts.checked) });
  if (hasCode(query.error, 'not_found')) return <NotFoundPage />;
  const payment = query.data;
  const action = payment !== undefined && (
    <div className={classes['actions']}>
      <Button variant="default" loading={check.isPending} onClick={() => check.mutate()}>{texts.check}</Button>
      {REFUNDABLE.has(payment.state) && <Button variant="outline" color="red" onClick={() => setRefunding(true)}>{texts.refund.action}</Button>}
    </div>
  );
  return (
    <Page title={one.title} action={action}>
      <div className="in-text"><TextLink to="/operator/payments">{one.back}</TextLink></div>
      {done !== null && <Note kind="good" announced>{done}</Note>}
      <FormProblem error={check.error} />
      <Part query={query} height={HEIGHT}>{(found) => <><Facts payment={found} /><Adjustments payment={found} /></>}</Part>
      {payment !== undefined && <RefundDialog opened={isRefunding} payment={payment} onClose={() => setRefunding(false)} onRequested={() => { setRefunding(false); refresh(texts.refund.done); }} />}
    </Page>
  );
}

/** Keyed by id, so that another payment's title takes the focus. */
export function OperatorPaymentPage() {
  const { id } = useParams({ from: '/shell/operator/payments/$id' });
  return <OnePayment key={id} id={id} />;
}
