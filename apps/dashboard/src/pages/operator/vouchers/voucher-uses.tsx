import { vouchers as texts } from '#texts/vouchers';
import type { Reply } from '../../../api/call';
import { useRouteList } from '../../../api/use-route';
import { AccountName } from '../../../components/account-name';
import { Amount } from '../../../components/amount';
import { Card } from '../../../components/card';
import { EmptyState } from '../../../components/empty-state';
import { Instant } from '../../../components/instant';
import { LongTable, longColumns } from '../../../components/long-table';
import { exactCount } from '../../../format/count';
import { TimeOrNever } from './vouchers-page';
import rowCard from '../../../components/row-card.module.css';

type VoucherUse = Reply<'listVoucherUses'>['data'][number];

const helper = longColumns<VoucherUse>();
const { useColumns: names, uses, noUses } = texts.batch;

const COLUMNS = helper.columns([
  helper.display({ id: 'number', header: names.number, meta: { track: '80px' }, cell: ({ row: { original } }) => <span className="num">{exactCount(original.number)}</span> }),
  helper.display({ id: 'at', header: names.at, meta: { track: '140px' }, cell: ({ row: { original } }) => <Instant at={original.redeemed_at} /> }),
  helper.display({ id: 'code', header: names.code, meta: { track: '110px' }, cell: ({ row: { original } }) => <span className="mono" title={original.voucher_id}>{original.hint}</span> }),
  helper.display({ id: 'account', header: names.account, meta: { track: 'minmax(140px, 1fr)' }, cell: ({ row: { original } }) => <AccountName id={original.account_id} /> }),
  helper.display({ id: 'credit', header: names.credit, meta: { track: '140px' }, cell: ({ row: { original } }) => <TimeOrNever at={original.credit_expires_at} /> }),
  helper.display({ id: 'amount', header: names.amount, meta: { track: '160px', numeric: true }, cell: ({ row: { original } }) => <Amount value={original.svc_tokens} form="column" /> }),
]);

function card(use: VoucherUse) {
  return (
    <div className={rowCard['card']}>
      <div className={rowCard['line']}><AccountName id={use.account_id} /><Amount value={use.svc_tokens} /></div>
      <div className={rowCard['line']}><span className="mono">{use.hint}</span><Instant at={use.redeemed_at} /></div>
    </div>
  );
}

const CARD_HEIGHT = 72;

function idOf({ number }: VoucherUse): string {
  return String(number);
}

export function VoucherUses({ id }: { readonly id: string }) {
  const list = useRouteList('listVoucherUses', { params: { id } });
  return (
    <Card title={uses}>
      <LongTable name="voucher-uses" label={uses} list={list} columns={COLUMNS} idOf={idOf} card={card} cardHeight={CARD_HEIGHT} empty={<EmptyState title={noUses} />} />
    </Card>
  );
}
