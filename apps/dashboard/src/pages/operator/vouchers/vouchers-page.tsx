import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { vouchers as texts } from '#texts/vouchers';
import type { Reply } from '../../../api/call';
import { useRouteList } from '../../../api/use-route';
import { Amount } from '../../../components/amount';
import { EmptyState } from '../../../components/empty-state';
import { Instant } from '../../../components/instant';
import { TextLink } from '../../../components/link';
import { LongTable, longColumns } from '../../../components/long-table';
import { Page } from '../../../components/page';
import { Status } from '../../../components/status';
import { exactCount } from '../../../format/count';
import { CreateVouchersDialog, type IssuedVouchers } from './create-vouchers-dialog';
import { IssuedVouchersDialog } from './issued-vouchers-dialog';
import rowCard from '../../../components/row-card.module.css';

export type VoucherBatch = Reply<'listVoucherBatches'>['data'][number];

const helper = longColumns<VoucherBatch>();
const { columns: names } = texts;

function Name({ id, name, note }: Pick<VoucherBatch, 'id' | 'name' | 'note'>) {
  return <TextLink to="/operator/vouchers/$id" params={{ id }} title={note ?? name}>{name}</TextLink>;
}

export function Uses({ uses, code_count: codes, uses_per_code: perCode }: Pick<VoucherBatch, 'uses' | 'code_count' | 'uses_per_code'>) {
  return <span className="num">{texts.ofUses(exactCount(uses), exactCount(codes * perCode))}</span>;
}

export function TimeOrNever({ at }: { readonly at: string | null }) {
  return at === null ? <>{texts.never}</> : <Instant at={at} />;
}

const COLUMNS = helper.columns([
  helper.display({ id: 'name', header: names.name, meta: { track: 'minmax(140px, 1fr)' }, cell: ({ row: { original } }) => <Name {...original} /> }),
  helper.display({ id: 'status', header: names.status, meta: { track: '100px' }, cell: ({ row: { original } }) => <Status value={original.status} /> }),
  helper.display({ id: 'created', header: names.created, meta: { track: '125px' }, cell: ({ row: { original } }) => <Instant at={original.created_at} /> }),
  helper.display({ id: 'expires', header: names.expires, meta: { track: '140px' }, cell: ({ row: { original } }) => <TimeOrNever at={original.expires_at} /> }),
  helper.display({ id: 'codes', header: names.codes, meta: { track: '80px', numeric: true }, cell: ({ row: { original } }) => <span className="num">{exactCount(original.code_count)}</span> }),
  helper.display({ id: 'uses', header: names.uses, meta: { track: '130px', numeric: true }, cell: ({ row: { original } }) => <Uses {...original} /> }),
  helper.display({ id: 'amount', header: names.amount, meta: { track: '150px', numeric: true }, cell: ({ row: { original } }) => <Amount value={original.svc_tokens} form="column" /> }),
]);

function card(batch: VoucherBatch) {
  return (
    <div className={rowCard['card']}>
      <div className={rowCard['line']}><Name {...batch} /><Status value={batch.status} /></div>
      <div className={rowCard['line']}><span className="muted">{names.amount}</span><Amount value={batch.svc_tokens} /></div>
      <div className={rowCard['line']}><span className="muted">{names.uses}</span><Uses {...batch} /></div>
      <div className={rowCard['line']}><span className="muted">{names.expires}</span><span><TimeOrNever at={batch.expires_at} /></span></div>
    </div>
  );
}

const CARD_HEIGHT = 122;

export function VouchersPage() {
  const client = useQueryClient();
  const list = useRouteList('listVoucherBatches', {});
  const [isCreating, setCreating] = useState(false);
  const [issued, setIssued] = useState<IssuedVouchers | null>(null);
  const creator = useRef<HTMLButtonElement>(null);
  const show = (made: IssuedVouchers) => {
    setCreating(false);
    setIssued(made);
    void client.invalidateQueries({ queryKey: ['list'] });
  };
  const forget = () => {
    setIssued(null);
    window.requestAnimationFrame(() => creator.current?.focus());
  };
  const create = { onClick: () => setCreating(true), children: texts.create };
  return (
    <Page title={texts.title} help={texts.help} action={<Button ref={creator} {...create} />}>
      <LongTable
        name="voucher-batches"
        label={texts.list} list={list} columns={COLUMNS} idOf={idOf} card={card} cardHeight={CARD_HEIGHT}
        empty={<EmptyState title={texts.none} help={texts.noneHelp} action={<Button variant="default" {...create} />} />}
      />
      <CreateVouchersDialog opened={isCreating} onClose={() => setCreating(false)} onIssued={show} />
      {issued !== null && <IssuedVouchersDialog issued={issued} onClose={forget} />}
    </Page>
  );
}

function idOf({ id }: VoucherBatch): string {
  return id;
}
