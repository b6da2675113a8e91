import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { blocklists } from '#texts/blocklists';
import { common } from '#texts/common';
import { call, type Reply } from '../../../api/call';
import { useRouteList } from '../../../api/use-route';
import { CopyId } from '../../../components/copy-id';
import { EmptyState } from '../../../components/empty-state';
import { Instant } from '../../../components/instant';
import { TextLink } from '../../../components/link';
import { LongTable, longColumns } from '../../../components/long-table';
import { Note } from '../../../components/note';
import { Page } from '../../../components/page';
import { shortId } from '../../../format/id';
import { ActorName } from '../audit/actor-name';
import { PlainDialog } from '../../../components/plain-dialog';
import { BlockDialog } from './block-dialog';
import rowCard from '../../../components/row-card.module.css';

type Block = Reply<'listBlocks'>['data'][number];

const helper = longColumns<Block>();
const { columns: names } = blocklists;

/** Keys link to their account. */
function Subject({ id, kind }: Pick<Block, 'id' | 'kind'>) {
  if (kind === 'account') return <TextLink to="/operator/accounts/$id" params={{ id }} className="mono" title={id}>{shortId(id)}</TextLink>;
  if (kind === 'key') return <TextLink to="/operator/accounts" search={{ q: id }} className="mono" title={id}>{shortId(id)}</TextLink>;
  return <CopyId id={id} whole />;
}

function Expiry({ expires_at: at }: Pick<Block, 'expires_at'>) {
  return at === null ? <>{blocklists.never}</> : <Instant at={at} />;
}

interface UnblockProps {
  readonly block: Block;
  readonly onUnblock: (block: Block) => void;
}

function UnblockButton({ block, onUnblock }: UnblockProps) {
  return <Button size="compact-sm" variant="default" aria-label={blocklists.unblockOf(block.id)} onClick={() => onUnblock(block)}>{blocklists.unblock}</Button>;
}

function columnsWith(onUnblock: UnblockProps['onUnblock']) {
  return helper.columns([
    helper.display({ id: 'kind', header: names.kind, meta: { track: '70px' }, cell: ({ row: { original } }) => blocklists.kinds[original.kind] }),
    helper.display({ id: 'subject', header: names.subject, meta: { track: 'minmax(140px, 1fr)' }, cell: ({ row: { original } }) => <Subject {...original} /> }),
    helper.display({ id: 'reason', header: names.reason, meta: { track: 'minmax(140px, 1fr)' }, cell: ({ row: { original } }) => <span title={original.reason ?? ''}>{original.reason ?? common.none}</span> }),
    helper.display({ id: 'by', header: names.by, meta: { track: 'minmax(130px, 1fr)' }, cell: ({ row: { original } }) => (original.blocked_by === null ? common.none : <ActorName id={original.blocked_by} />) }),
    helper.display({ id: 'at', header: names.at, meta: { track: '115px' }, cell: ({ row: { original } }) => <Instant at={original.blocked_at} /> }),
    helper.display({ id: 'expires', header: names.expires, meta: { track: '140px' }, cell: ({ row: { original } }) => <Expiry {...original} /> }),
    helper.display({ id: 'act', header: names.act, meta: { track: '84px' }, cell: ({ row: { original } }) => <UnblockButton block={original} onUnblock={onUnblock} /> }),
  ]);
}

function Card({ block, onUnblock }: UnblockProps) {
  return (
    <div className={rowCard['card']}>
      <div className={rowCard['line']}><span>{blocklists.kinds[block.kind]} <Subject {...block} /></span><UnblockButton block={block} onUnblock={onUnblock} /></div>
      <div className={rowCard['line']}><span>{block.reason ?? common.none}</span></div>
      <div className={rowCard['line']}><span className="muted">{names.at} <Instant at={block.blocked_at} /></span></div>
      <div className={rowCard['line']}><span className="muted">{names.expires} <Expiry {...block} /></span></div>
    </div>
  );
}

function cardWith(onUnblock: UnblockProps['onUnblock']) {
  return (block: Block) => <Card block={block} onUnblock={onUnblock} />;
}

const CARD_HEIGHT = 146;

interface Outcome {
  readonly text: string;
  readonly accountId: string | null;
}

function OutcomeNote({ text, accountId }: Outcome) {
  const search = accountId === null ? {} : { account: accountId };
  return <Note kind="good" announced action={<TextLink to="/operator/audit" search={search}>{blocklists.auditEntry}</TextLink>}>{text}</Note>;
}

function outcomeOf({ id, kind }: Pick<Block, 'id' | 'kind'>, text: (subject: string) => string): Outcome {
  return { text: text(id), accountId: kind === 'account' ? id : null };
}

export function BlocklistsPage() {
  const client = useQueryClient();
  const list = useRouteList('listBlocks', {});
  const [isBlocking, setBlocking] = useState(false);
  const [ending, setEnding] = useState<Block | null>(null);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const columns = useMemo(() => columnsWith(setEnding), []);
  const card = useMemo(() => cardWith(setEnding), []);
  const unblock = async (block: Block) => {
    await call('unblock', { params: { id: block.id } });
    setOutcome(outcomeOf(block, blocklists.unblocked));
    void client.invalidateQueries({ queryKey: ['list'] });
  };
  const block = <Button variant="default" onClick={() => setBlocking(true)}>{blocklists.block}</Button>;
  return (
    <Page title={blocklists.title} help={blocklists.help} action={<Button onClick={() => setBlocking(true)}>{blocklists.block}</Button>}>
      {outcome !== null && <OutcomeNote {...outcome} />}
      <LongTable
        name="blocks"
        label={blocklists.list} list={list} columns={columns} idOf={({ kind, id }) => `${kind} ${id}`} card={card} cardHeight={CARD_HEIGHT}
        empty={<EmptyState title={blocklists.none} help={blocklists.noneHelp} action={block} />}
      />
      <BlockDialog opened={isBlocking} onClose={() => setBlocking(false)} onBlocked={(made) => setOutcome(outcomeOf(made, blocklists.blocked))} />
      {ending !== null && (
        <PlainDialog
          opened title={blocklists.unblockTitle(ending.id)} effect={blocklists.unblockEffect} action={blocklists.unblock}
          onConfirm={() => unblock(ending)} onClose={() => setEnding(null)}
        />
      )}
    </Page>
  );
}
