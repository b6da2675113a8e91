import { billing as texts } from '#texts/billing';
import { common } from '#texts/common';
import type { Reply } from '../../api/call';
import type { useRouteList } from '../../api/use-route';
import { Amount } from '../../components/amount';
import { EmptyState } from '../../components/empty-state';
import { Instant } from '../../components/instant';
import { TextLink } from '../../components/link';
import { longColumns, LongTable } from '../../components/long-table';
import { Reference } from '../../components/reference';
import { shortId } from '../../format/id';
import rowCard from '../../components/row-card.module.css';

type MoneyAct = Reply<'listOwnMoneyActs'>['data'][number];

const { columns: names } = texts;
const helper = longColumns<MoneyAct>();
const CARD_HEIGHT = 96;

function Kind({ kind }: Pick<MoneyAct, 'kind'>) {
  return <>{texts.kinds[kind] ?? kind}</>;
}

function RequestLink({ id }: { readonly id: string | null }) {
  if (id === null) return <>{common.none}</>;
  return <TextLink to="/usage/$requestId" params={{ requestId: id }} className="mono" title={id}>{shortId(id)}</TextLink>;
}

const columns = helper.columns([
  helper.display({ id: 'at', header: names.at, meta: { track: '110px' }, cell: ({ row: { original } }) => <Instant at={original.at} /> }),
  helper.display({ id: 'kind', header: names.kind, meta: { track: '140px' }, cell: ({ row: { original } }) => <Kind kind={original.kind} /> }),
  helper.display({ id: 'reference', header: names.reference, meta: { track: 'minmax(90px, 1fr)' }, cell: ({ row: { original } }) => <Reference reference={original.reference} /> }),
  helper.display({ id: 'reason', header: names.reason, meta: { track: 'minmax(90px, 1.5fr)' }, cell: ({ row: { original } }) => <span title={original.reason ?? ''}>{original.reason ?? common.none}</span> }),
  helper.display({ id: 'request', header: names.request, meta: { track: '130px' }, cell: ({ row: { original } }) => <RequestLink id={original.request_id} /> }),
  helper.display({ id: 'amount', header: names.amount, meta: { track: '180px', numeric: true }, cell: ({ row: { original } }) => <Amount value={original.svc_tokens} form="column" /> }),
]);

function card(act: MoneyAct) {
  // The link to a payment already names the kind of the act.
  const isPayment = act.kind === 'payment' && act.reference !== null;
  return (
    <div className={rowCard['card']}>
      <div className={rowCard['line']}><strong>{isPayment ? <Reference reference={act.reference} /> : <Kind kind={act.kind} />}</strong><Amount value={act.svc_tokens} /></div>
      <div className={rowCard['line']}>{isPayment ? null : <Reference reference={act.reference} />}<Instant at={act.at} /></div>
      {(act.reason !== null || act.request_id !== null) && <div className={rowCard['line']}><span className="muted">{act.reason}</span>{act.request_id !== null && <RequestLink id={act.request_id} />}</div>}
    </div>
  );
}

/** Newest first; rows are loaded while scrolling. */
export function MoneyActs({ list }: { readonly list: ReturnType<typeof useRouteList<'listOwnMoneyActs'>> }) {
  return (
    <LongTable
        name="money-acts"
      label={texts.acts} list={list} columns={columns} idOf={({ kind, at, reference, request_id: request }) => `${kind} ${at} ${reference ?? ''} ${request ?? ''}`}
      card={card} cardHeight={CARD_HEIGHT} empty={<EmptyState title={texts.none} />}
    />
  );
}
