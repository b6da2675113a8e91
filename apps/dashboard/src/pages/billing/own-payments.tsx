import { payments as texts } from '#texts/payments';
import { common } from '#texts/common';
import type { Reply } from '../../api/call';
import { useRouteList } from '../../api/use-route';
import { Amount } from '../../components/amount';
import { Card } from '../../components/card';
import { EmptyState } from '../../components/empty-state';
import { Instant } from '../../components/instant';
import { TextLink } from '../../components/link';
import { longColumns, LongTable } from '../../components/long-table';
import { PaymentStatus } from '../../components/payment-status';
import { priceOf } from '../../format/price-of';
import rowCard from '../../components/row-card.module.css';

type OwnPayment = Reply<'listPayments'>['data'][number];

const helper = longColumns<OwnPayment>();
const { columns: names } = texts;
const CARD_HEIGHT = 96;

function Started({ payment: { id, created_at: at } }: { readonly payment: OwnPayment }) {
  return <TextLink to="/billing/payments/$id" params={{ id }}><Instant at={at} /></TextLink>;
}

function Invoice({ url }: { readonly url: string | null }) {
  return url === null ? <>{common.none}</> : <a href={url} target="_blank" rel="noopener noreferrer">{texts.invoice}</a>;
}

const COLUMNS = helper.columns([
  helper.display({ id: 'created', header: names.created, meta: { track: '125px' }, cell: ({ row: { original } }) => <Started payment={original} /> }),
  helper.display({ id: 'state', header: names.state, meta: { track: '140px' }, cell: ({ row: { original } }) => <PaymentStatus state={original.state} /> }),
  helper.display({ id: 'invoice', header: names.invoice, meta: { track: 'minmax(100px, 1fr)' }, cell: ({ row: { original } }) => <Invoice url={original.invoice_url} /> }),
  helper.display({ id: 'amount', header: names.amount, meta: { track: '140px', numeric: true }, cell: ({ row: { original } }) => <span className="num">{priceOf(original)}</span> }),
  helper.display({ id: 'tokens', header: names.tokens, meta: { track: '180px', numeric: true }, cell: ({ row: { original } }) => <Amount value={original.svc_tokens} form="column" /> }),
]);

function card(payment: OwnPayment) {
  return (
    <div className={rowCard['card']}>
      <div className={rowCard['line']}><Started payment={payment} /><PaymentStatus state={payment.state} /></div>
      <div className={rowCard['line']}><span className="num">{priceOf(payment)}</span><Amount value={payment.svc_tokens} /></div>
      {payment.invoice_url !== null && <div className={rowCard['line']}><Invoice url={payment.invoice_url} /></div>}
    </div>
  );
}

function idOf({ id }: OwnPayment): string {
  return id;
}

export function OwnPayments() {
  const list = useRouteList('listPayments', {});
  return (
    <Card title={texts.title}>
      <LongTable name="own-payments" label={texts.title} list={list} columns={COLUMNS} idOf={idOf} card={card} cardHeight={CARD_HEIGHT} empty={<EmptyState title={texts.none} />} />
    </Card>
  );
}
