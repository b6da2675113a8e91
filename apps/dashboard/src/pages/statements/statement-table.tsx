import { Anchor } from '@mantine/core';
import { statements as texts } from '#texts/statements';
import type { Reply } from '../../api/call';
import type { useRouteList } from '../../api/use-route';
import { Amount } from '../../components/amount';
import { EmptyState } from '../../components/empty-state';
import { Instant } from '../../components/instant';
import { LongTable, longColumns } from '../../components/long-table';
import { monthLabel } from '../../format/day';
import rowCard from '../../components/row-card.module.css';
import classes from './statements.module.css';

type Summary = Reply<'listStatements'>['data'][number];

const FORMATS = ['pdf', 'csv', 'json'] as const;
export type StatementFormat = (typeof FORMATS)[number];

type AddressOf = (number: number, format: StatementFormat) => string;

const helper = longColumns<Summary>();
const { columns: names } = texts;

function Downloads({ number, addressOf }: { readonly number: number; readonly addressOf: AddressOf }) {
  return (
    <span className={classes['downloads']}>
      {FORMATS.map((format) => <Anchor key={format} inherit href={addressOf(number, format)} download aria-label={texts.download(number, texts.formats[format])}>{texts.formats[format]}</Anchor>)}
    </span>
  );
}

const columnsFor = (addressOf: AddressOf) => helper.columns([
  helper.display({ id: 'month', header: names.month, meta: { track: '130px' }, cell: ({ row: { original } }) => monthLabel(original.month) }),
  helper.display({ id: 'number', header: names.number, meta: { track: '80px', numeric: true }, cell: ({ row: { original } }) => original.number }),
  helper.display({ id: 'opening', header: names.opening, meta: { track: 'minmax(150px, 1fr)', numeric: true }, cell: ({ row: { original } }) => <Amount value={original.opening_balance} form="column" /> }),
  helper.display({ id: 'closing', header: names.closing, meta: { track: 'minmax(150px, 1fr)', numeric: true }, cell: ({ row: { original } }) => <Amount value={original.closing_balance} form="column" /> }),
  helper.display({ id: 'made', header: names.made, meta: { track: '115px' }, cell: ({ row: { original } }) => <Instant at={original.made_at} /> }),
  helper.display({ id: 'download', header: names.download, meta: { track: '150px' }, cell: ({ row: { original } }) => <Downloads number={original.number} addressOf={addressOf} /> }),
]);

const cardFor = (addressOf: AddressOf) => function card({ number, month, opening_balance: opening, closing_balance: closing }: Summary) {
  return (
    <div className={rowCard['card']}>
      <div className={rowCard['line']}><strong>{monthLabel(month)}</strong><span className="muted">{texts.numbered(number)}</span></div>
      <div className={rowCard['line']}><span className="muted">{texts.openingOf}</span><Amount value={opening} /></div>
      <div className={rowCard['line']}><span className="muted">{texts.closingOf}</span><Amount value={closing} /></div>
      <Downloads number={number} addressOf={addressOf} />
    </div>
  );
};

const CARD_HEIGHT = 120;

interface StatementTableProps {
  readonly list: ReturnType<typeof useRouteList<'listStatements'>>;
  readonly addressOf: AddressOf;
}

export function StatementTable({ list, addressOf }: StatementTableProps) {
  return (
    <LongTable
      name="statements"
      label={texts.list} list={list} columns={columnsFor(addressOf)} idOf={({ number }) => String(number)} card={cardFor(addressOf)} cardHeight={CARD_HEIGHT}
      empty={<EmptyState title={texts.none} help={texts.noneHelp} />}
    />
  );
}
