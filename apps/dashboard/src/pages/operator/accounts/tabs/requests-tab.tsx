import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
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
import { exactCount } from '../../../../format/count';
import { shortId } from '../../../../format/id';
import { ModelLabel } from '../../../models/model-label';
import { EndingBadge } from '../../../usage/ending';
import { useKeyNames } from '../../../usage/names';
import type { OpenAct } from '../acts/open-act';
import type { AccountDetail } from '../acts/account-data';
import rowCard from '../../../../components/row-card.module.css';

type UsageRecord = Reply<'listAllUsage'>['data'][number];

const helper = longColumns<UsageRecord>();
const { requestColumns: names } = tabs;

function RequestLink({ id }: { readonly id: string }) {
  return <TextLink to="/operator/usage/$requestId" params={{ requestId: id }} className="mono" title={id} data-row-link>{shortId(id)}</TextLink>;
}

interface RefundButtonProps {
  readonly id: string;
  readonly onAct: (act: OpenAct) => void;
}

function RefundButton({ id, onAct }: RefundButtonProps) {
  return <Button size="compact-xs" variant="default" aria-label={tabs.refundThis(id)} onClick={() => onAct({ name: 'refund', requestId: id })}>{money.refund}</Button>;
}

function KeyLabel({ id, keyName }: { readonly id: string | null; readonly keyName: KeyNamer }) {
  return id === null ? common.none : <span title={id}>{keyName(id)}</span>;
}

type KeyNamer = (id: string) => string;

function columnsWith(onAct: ((act: OpenAct) => void) | null, keyName: KeyNamer) {
  return helper.columns([
    helper.display({ id: 'ended', header: names.ended, meta: { track: '165px' }, cell: ({ row: { original } }) => <Instant at={original.ended_at} precise /> }),
    helper.display({ id: 'model', header: names.model, meta: { track: 'minmax(110px, 1fr)' }, cell: ({ row: { original } }) => <ModelLabel id={original.model ?? original.requested_model} /> }),
    helper.display({ id: 'key', header: names.key, meta: { track: 'minmax(90px, 1fr)' }, cell: ({ row: { original } }) => <KeyLabel id={original.key_id} keyName={keyName} /> }),
    helper.display({ id: 'tokens', header: names.tokens, meta: { track: '84px', numeric: true, leaves: 1 }, cell: ({ row: { original } }) => exactCount(original.usage.total_tokens) }),
    helper.display({ id: 'charge', header: names.charge, meta: { track: '150px', numeric: true }, cell: ({ row: { original } }) => <Amount value={original.svc_tokens_debited} usd={original.svc_cost_usd} full /> }),
    helper.display({ id: 'reason', header: names.reason, meta: { track: '140px' }, cell: ({ row: { original } }) => <EndingBadge reason={original.end_reason} /> }),
    helper.display({ id: 'id', header: names.id, meta: { track: '145px' }, cell: ({ row: { original } }) => <RequestLink id={original.request_id} /> }),
    ...(onAct === null ? [] : [helper.display({ id: 'act', header: names.act, meta: { track: '76px' }, cell: ({ row: { original } }) => <RefundButton id={original.request_id} onAct={onAct} /> })]),
  ]);
}

interface CardProps {
  readonly record: UsageRecord;
  readonly keyName: KeyNamer;
  readonly onAct: ((act: OpenAct) => void) | null;
}

function Card({ record, keyName, onAct }: CardProps) {
  return (
    <div className={rowCard['card']}>
      <div className={rowCard['line']}><span><strong><ModelLabel id={record.model ?? record.requested_model} /></strong> <KeyLabel id={record.key_id} keyName={keyName} /></span><Amount value={record.svc_tokens_debited} usd={record.svc_cost_usd} full /></div>
      <div className={rowCard['line']}><Instant at={record.ended_at} precise /><EndingBadge reason={record.end_reason} /></div>
      <div className={rowCard['line']}><RequestLink id={record.request_id} />{onAct !== null && <RefundButton id={record.request_id} onAct={onAct} />}</div>
    </div>
  );
}

function cardWith(onAct: CardProps['onAct'], keyName: KeyNamer) {
  return (record: UsageRecord) => <Card record={record} keyName={keyName} onAct={onAct} />;
}

const CARD_HEIGHT = 124;

interface RequestsTabProps {
  readonly account: AccountDetail;
  readonly onAct: (act: OpenAct) => void;
}

/** Lists only accepted requests. */
export function RequestsTab({ account: { id, status }, onAct }: RequestsTabProps) {
  const navigate = useNavigate();
  const list = useRouteList('listAllUsage', { query: { account: id } });
  const act = status === 'deleted' ? null : onAct;
  const keyName = useKeyNames(list.data?.pages.flatMap(({ data }) => data.map(({ key_id: key }) => key)) ?? [], 'all');
  const columns = useMemo(() => columnsWith(act, keyName), [act, keyName]);
  const card = useMemo(() => cardWith(act, keyName), [act, keyName]);
  return (
    <>
      <TextLink to="/operator/usage" search={{ account: id }}>{tabs.allUsage}</TextLink>
      <LongTable
        name="account-requests"
        label={tabs.requests} list={list} columns={columns} idOf={({ request_id: request }) => request} card={card} cardHeight={CARD_HEIGHT}
        onOpen={({ request_id: requestId }) => void navigate({ to: '/operator/usage/$requestId', params: { requestId } })}
        empty={<EmptyState title={tabs.requestsNone} />}
      />
    </>
  );
}
