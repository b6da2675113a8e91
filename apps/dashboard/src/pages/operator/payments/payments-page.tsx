import { Checkbox, Select } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { operatorPayments as texts } from '#texts/operator-payments';
import { payments } from '#texts/payments';
import type { Input, Reply } from '../../../api/call';
import { useRoute, useRouteList } from '../../../api/use-route';
import { AccountSelect } from '../../../components/account-select';
import { AccountName } from '../../../components/account-name';
import { Amount } from '../../../components/amount';
import { EmptyState } from '../../../components/empty-state';
import { Instant } from '../../../components/instant';
import { TextLink } from '../../../components/link';
import { longColumns, LongTable } from '../../../components/long-table';
import { Note } from '../../../components/note';
import { Page } from '../../../components/page';
import { Part } from '../../../components/part';
import { PaymentStatus } from '../../../components/payment-status';
import { TextFilter } from '../../../components/text-filter';
import { exactCount } from '../../../format/count';
import { instantsOf } from '../../../format/day';
import { priceOf } from '../../../format/price-of';
import rowCard from '../../../components/row-card.module.css';
import classes from './payments.module.css';

type AnyPayment = Reply<'listAllPayments'>['data'][number];
type State = NonNullable<NonNullable<Input<'listAllPayments'>['query']>['state']>;

interface Search {
  readonly state?: string;
  readonly account?: string;
  readonly uncovered?: string;
  /** Inclusive UTC days on which payments were started. */
  readonly start?: string;
  readonly end?: string;
}

const helper = longColumns<AnyPayment>();
const { columns: names } = texts;
const CARD_HEIGHT = 122;
const COUNTS_HEIGHT = 60;
const STATES = Object.entries(payments.states).map(([value, label]) => ({ value, label }));

function Started({ payment: { id, created_at: at } }: { readonly payment: AnyPayment }) {
  return <TextLink to="/operator/payments/$id" params={{ id }}><Instant at={at} /></TextLink>;
}

const COLUMNS = helper.columns([
  helper.display({ id: 'created', header: names.created, meta: { track: '125px' }, cell: ({ row: { original } }) => <Started payment={original} /> }),
  helper.display({ id: 'account', header: names.account, meta: { track: 'minmax(130px, 1fr)' }, cell: ({ row: { original } }) => <AccountName id={original.account_id} /> }),
  helper.display({ id: 'state', header: names.state, meta: { track: '140px' }, cell: ({ row: { original } }) => <PaymentStatus state={original.state} /> }),
  helper.display({ id: 'price', header: names.price, meta: { track: '140px', numeric: true }, cell: ({ row: { original } }) => <span className="num">{priceOf(original)}</span> }),
  helper.display({ id: 'tokens', header: names.tokens, meta: { track: '170px', numeric: true }, cell: ({ row: { original } }) => <Amount value={original.svc_tokens} form="column" /> }),
  helper.display({ id: 'uncovered', header: names.uncovered, meta: { track: '150px', numeric: true }, cell: ({ row: { original } }) => <Amount value={original.svc_tokens_uncovered} form="column" /> }),
]);

function card(payment: AnyPayment) {
  return (
    <div className={rowCard['card']}>
      <div className={rowCard['line']}><Started payment={payment} /><PaymentStatus state={payment.state} /></div>
      <div className={rowCard['line']}><AccountName id={payment.account_id} /><span className="num">{priceOf(payment)}</span></div>
      <div className={rowCard['line']}><span className="muted">{names.tokens}</span><Amount value={payment.svc_tokens} /></div>
      <div className={rowCard['line']}><span className="muted">{names.uncovered}</span><Amount value={payment.svc_tokens_uncovered} /></div>
    </div>
  );
}

function idOf({ id }: AnyPayment): string {
  return id;
}

function Counts({ counts: { provider, simulated: isSimulated, open, unbookable, uncovered } }: { readonly counts: Reply<'readPaymentHealth'> }) {
  const figures = [[texts.counts.open, open], [texts.counts.unbookable, unbookable], [texts.counts.uncovered, uncovered]] as const;
  return (
    <>
      {isSimulated && <Note kind="warning">{texts.simulated}</Note>}
      <p className={classes['counts']}>
        <span>{provider === null ? texts.off : texts.provider(provider)}</span>
        {figures.map(([label, count]) => <span key={label}><span className="muted">{label}</span> <span className="num">{exactCount(count)}</span></span>)}
      </p>
    </>
  );
}

export function PaymentsPage() {
  const search: Search = useSearch({ from: '/shell/operator/payments' });
  const { state, account, uncovered, ...days } = search;
  const navigate = useNavigate();
  const counts = useRoute('readPaymentHealth', {});
  const list = useRouteList('listAllPayments', {
    query: { ...(state === undefined ? {} : { state: state as State }), ...(account === undefined ? {} : { account }), ...(uncovered === undefined ? {} : { uncovered: 'true' as const }), ...instantsOf(days) },
  });
  const set = (name: keyof Search) => (value: string | null) => {
    const { [name]: _before, ...others } = search;
    void navigate({ to: '/operator/payments', search: value === null || value === '' ? others : { ...others, [name]: value } });
  };
  return (
    <Page title={texts.title} help={texts.help}>
      <Part query={counts} height={COUNTS_HEIGHT}>{(data) => <Counts counts={data} />}</Part>
      <div className={classes['filters']}>
        <AccountSelect label={texts.filters.account} value={account} onAccount={set('account')} />
        <Select label={texts.filters.state} placeholder={texts.filters.any} data={STATES} value={state ?? null} clearable onChange={set('state')} />
        <TextFilter label={texts.filters.first} type="date" value={days.start} onChange={set('start')} />
        <TextFilter label={texts.filters.last} type="date" value={days.end} onChange={set('end')} />
        <Checkbox className={classes['check'] ?? ''} label={texts.filters.uncovered} checked={uncovered !== undefined} onChange={({ currentTarget: { checked } }) => set('uncovered')(checked ? 'true' : null)} />
      </div>
      <LongTable name="payments" label={texts.list} list={list} columns={COLUMNS} idOf={idOf} card={card} cardHeight={CARD_HEIGHT} empty={<EmptyState title={texts.none} />} />
    </Page>
  );
}
