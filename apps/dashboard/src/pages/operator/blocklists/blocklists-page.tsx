import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { blocklists } from '#texts/blocklists';
import { common } from '#texts/common';
import { call, type Reply } from '../../../api/call';
import { useRouteList } from '../../../api/use-route';
import { AccountName } from '../../../components/account-name';
import { CopyId } from '../../../components/copy-id';
import { EmptyState } from '../../../components/empty-state';
import { Instant } from '../../../components/instant';
import { useHolderNames } from '../../../components/holder-names';
import { TextLink } from '../../../components/link';
import { LongTable, longColumns } from '../../../components/long-table';
import { Note } from '../../../components/note';
import { Page } from '../../../components/page';
import { useKeyNames } from '../../usage/names';
import { ActorName } from '../audit/actor-name';
import { PlainDialog } from '../../../components/plain-dialog';
import { BlockDialog } from './block-dialog';
import rowCard from '../../../components/row-card.module.css';

type Block = Reply<'listBlocks'>['data'][number];

const helper = longColumns<Block>();
const { columns: names } = blocklists;

type Target = Pick<Block, 'id' | 'kind'>;
type TargetNamer = (target: Target) => string;

/** Names of blocked accounts and keys. A network is named by its addresses. */
function useTargetNames(blocks: readonly Target[]): TargetNamer {
  const idsOf = (kind: Block['kind']) => blocks.filter((block) => block.kind === kind).map(({ id }) => id);
  const [accountName, keyName] = [useHolderNames(idsOf('account')), useKeyNames(idsOf('key'), 'all')];
  return useCallback(({ id, kind }) => (kind === 'network' ? id : kind === 'account' ? accountName(id) : keyName(id)), [accountName, keyName]);
}

/** Accounts and keys link to the account, networks can be copied. */
function Subject({ id, kind, name }: Target & { readonly name: string }) {
  if (kind === 'account') return <AccountName id={id} />;
  if (kind === 'key') return <TextLink to="/operator/accounts" search={{ q: id }} title={id}>{name}</TextLink>;
  return <CopyId id={id} whole />;
}

function Expiry({ expires_at: at }: Pick<Block, 'expires_at'>) {
  return at === null ? <>{blocklists.never}</> : <Instant at={at} />;
}

interface RowActs {
  readonly nameOf: TargetNamer;
  readonly onUnblock: (block: Block) => void;
}

interface RowProps extends RowActs {
  readonly block: Block;
}

function UnblockButton({ block, nameOf, onUnblock }: RowProps) {
  return <Button size="compact-sm" variant="default" aria-label={blocklists.unblockOf(nameOf(block))} onClick={() => onUnblock(block)}>{blocklists.unblock}</Button>;
}

function columnsWith(acts: RowActs) {
  return helper.columns([
    helper.display({ id: 'kind', header: names.kind, meta: { track: '70px' }, cell: ({ row: { original } }) => blocklists.kinds[original.kind] }),
    helper.display({ id: 'subject', header: names.subject, meta: { track: 'minmax(140px, 1fr)' }, cell: ({ row: { original } }) => <Subject {...original} name={acts.nameOf(original)} /> }),
    helper.display({ id: 'reason', header: names.reason, meta: { track: 'minmax(140px, 1fr)' }, cell: ({ row: { original } }) => <span title={original.reason ?? ''}>{original.reason ?? common.none}</span> }),
    helper.display({ id: 'by', header: names.by, meta: { track: 'minmax(130px, 1fr)' }, cell: ({ row: { original } }) => (original.blocked_by === null ? common.none : <ActorName id={original.blocked_by} />) }),
    helper.display({ id: 'at', header: names.at, meta: { track: '115px' }, cell: ({ row: { original } }) => <Instant at={original.blocked_at} /> }),
    helper.display({ id: 'expires', header: names.expires, meta: { track: '140px' }, cell: ({ row: { original } }) => <Expiry {...original} /> }),
    helper.display({ id: 'act', header: names.act, meta: { track: '84px' }, cell: ({ row: { original } }) => <UnblockButton block={original} {...acts} /> }),
  ]);
}

function Card({ block, ...acts }: RowProps) {
  return (
    <div className={rowCard['card']}>
      <div className={rowCard['line']}><span>{blocklists.kinds[block.kind]} <Subject {...block} name={acts.nameOf(block)} /></span><UnblockButton block={block} {...acts} /></div>
      <div className={rowCard['line']}><span>{block.reason ?? common.none}</span></div>
      <div className={rowCard['line']}><span className="muted">{names.at} <Instant at={block.blocked_at} /></span></div>
      <div className={rowCard['line']}><span className="muted">{names.expires} <Expiry {...block} /></span></div>
    </div>
  );
}

function cardWith(acts: RowActs) {
  return (block: Block) => <Card block={block} {...acts} />;
}

const CARD_HEIGHT = 146;

interface Outcome {
  readonly block: Target;
  readonly text: (subject: string) => string;
}

function OutcomeNote({ block, text, nameOf }: Outcome & { readonly nameOf: TargetNamer }) {
  const search = block.kind === 'account' ? { account: block.id } : {};
  return <Note kind="good" announced action={<TextLink to="/operator/audit" search={search}>{blocklists.auditEntry}</TextLink>}>{text(nameOf(block))}</Note>;
}


export function BlocklistsPage() {
  const client = useQueryClient();
  const list = useRouteList('listBlocks', {});
  const [isBlocking, setBlocking] = useState(false);
  const [ending, setEnding] = useState<Block | null>(null);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const nameOf = useTargetNames([...(list.data?.pages.flatMap(({ data }) => data) ?? []), ...(outcome === null ? [] : [outcome.block])]);
  const acts = useMemo<RowActs>(() => ({ nameOf, onUnblock: setEnding }), [nameOf]);
  const [columns, card] = useMemo(() => [columnsWith(acts), cardWith(acts)] as const, [acts]);
  const unblock = async (block: Block) => {
    await call('unblock', { params: { id: block.id } });
    setOutcome({ block, text: blocklists.unblocked });
    void client.invalidateQueries({ queryKey: ['list'] });
  };
  const block = <Button variant="default" onClick={() => setBlocking(true)}>{blocklists.block}</Button>;
  return (
    <Page title={blocklists.title} help={blocklists.help} action={<Button onClick={() => setBlocking(true)}>{blocklists.block}</Button>}>
      {outcome !== null && <OutcomeNote {...outcome} nameOf={nameOf} />}
      <LongTable
        name="blocks"
        label={blocklists.list} list={list} columns={columns} idOf={({ kind, id }) => `${kind} ${id}`} card={card} cardHeight={CARD_HEIGHT}
        empty={<EmptyState title={blocklists.none} help={blocklists.noneHelp} action={block} />}
      />
      <BlockDialog opened={isBlocking} onClose={() => setBlocking(false)} onBlocked={(made) => setOutcome({ block: made, text: blocklists.blocked })} />
      {ending !== null && (
        <PlainDialog
          opened title={blocklists.unblockTitle(nameOf(ending))} effect={blocklists.unblockEffect} action={blocklists.unblock}
          onConfirm={() => unblock(ending)} onClose={() => setEnding(null)}
        />
      )}
    </Page>
  );
}
