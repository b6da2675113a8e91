import { Button } from '@mantine/core';
import { useMemo } from 'react';
import { common } from '#texts/common';
import { money, tabs } from '#texts/operator-accounts';
import type { Reply } from '../../../../api/call';
import { useRouteList } from '../../../../api/use-route';
import { Amount } from '../../../../components/amount';
import { EmptyState } from '../../../../components/empty-state';
import { Instant } from '../../../../components/instant';
import { TextLink } from '../../../../components/link';
import { LongTable, longColumns } from '../../../../components/long-table';
import { Reference } from '../../../../components/reference';
import { shortId } from '../../../../format/id';
import { ActorName, type KnownPerson } from '../../audit/actor-name';
import type { OpenAct } from '../acts/open-act';
import { CreditsCard } from './credits-card';
import type { AccountDetail } from '../acts/account-data';
import rowCard from '../../../../components/row-card.module.css';

type MoneyAct = Reply<'listMoneyActs'>['data'][number];

const helper = longColumns<MoneyAct>();
const { ledgerColumns: names } = tabs;

function RequestLink({ id }: { readonly id: string | null }) {
  if (id === null) return <>{common.none}</>;
  return <TextLink to="/operator/usage/$requestId" params={{ requestId: id }} className="mono" title={id}>{shortId(id)}</TextLink>;
}

function Kind({ kind }: Pick<MoneyAct, 'kind'>) {
  return <>{tabs.kinds[kind] ?? kind}</>;
}

function By({ by, owner }: Pick<MoneyAct, 'by'> & { readonly owner: KnownPerson | null }) {
  return by === null ? <>{common.none}</> : <ActorName id={by.id} owner={owner} />;
}

const columnsFor = (owner: KnownPerson | null) => helper.columns([
  helper.display({ id: 'at', header: names.at, meta: { track: '105px' }, cell: ({ row: { original } }) => <Instant at={original.at} /> }),
  helper.display({ id: 'kind', header: names.kind, meta: { track: '90px' }, cell: ({ row: { original } }) => <Kind kind={original.kind} /> }),
  helper.display({ id: 'reference', header: names.reference, meta: { track: 'minmax(90px, 1fr)' }, cell: ({ row: { original } }) => <Reference reference={original.reference} isOperators /> }),
  helper.display({ id: 'reason', header: names.reason, meta: { track: 'minmax(80px, 1.5fr)' }, cell: ({ row: { original } }) => <span title={original.reason ?? ''}>{original.reason ?? common.none}</span> }),
  helper.display({ id: 'by', header: names.by, meta: { track: 'minmax(110px, 1fr)' }, cell: ({ row: { original } }) => <By by={original.by} owner={owner} /> }),
  helper.display({ id: 'request', header: names.request, meta: { track: '130px' }, cell: ({ row: { original } }) => <RequestLink id={original.request_id} /> }),
  helper.display({ id: 'amount', header: names.amount, meta: { track: '180px', numeric: true }, cell: ({ row: { original } }) => <Amount value={original.svc_tokens} form="column" /> }),
]);

const cardFor = (owner: KnownPerson | null) => function card(act: MoneyAct) {
  return (
    <div className={rowCard['card']}>
      <div className={rowCard['line']}><strong><Kind kind={act.kind} /></strong><Amount value={act.svc_tokens} /></div>
      <div className={rowCard['line']}><Reference reference={act.reference} isOperators /><Instant at={act.at} /></div>
      <div className={rowCard['line']}><span className="muted">{act.reason}</span><span className="muted"><By by={act.by} owner={owner} /></span></div>
      {act.request_id !== null && <div className={rowCard['line']}><RequestLink id={act.request_id} /></div>}
    </div>
  );
};

const CARD_HEIGHT = 116;

interface LedgerTabProps {
  readonly account: AccountDetail;
  readonly onAct: (act: OpenAct) => void;
}

export function LedgerTab({ account: { id, status, email, person }, onAct }: LedgerTabProps) {
  const personId = person?.id;
  const owner = useMemo(() => (personId === undefined ? null : { id: personId, email }), [personId, email]);
  const columns = useMemo(() => columnsFor(owner), [owner]);
  const card = useMemo(() => cardFor(owner), [owner]);
  const list = useRouteList('listMoneyActs', { params: { id } });
  const action = status === 'deleted' ? undefined : <Button variant="default" onClick={() => onAct({ name: 'credit' })}>{money.credit}</Button>;
  return (
    <>
      <CreditsCard accountId={id} />
      <div className="muted">{tabs.ledgerHelp}</div>
      <LongTable
        name="ledger"
        label={tabs.ledger} list={list} columns={columns} idOf={({ kind, at, reference, request_id: request }) => `${kind} ${at} ${reference ?? ''} ${request ?? ''}`}
        card={card} cardHeight={CARD_HEIGHT} empty={<EmptyState title={tabs.ledgerNone} action={action} />}
      />
    </>
  );
}
