import { useMemo, useState, type ReactNode } from 'react';
import { activity } from '#texts/activity';
import { audit } from '#texts/audit';
import { common } from '#texts/common';
import type { Input, Reply } from '../../../api/call';
import { useRouteList } from '../../../api/use-route';
import { AccountName } from '../../../components/account-name';
import { CopyId } from '../../../components/copy-id';
import { Dialog } from '../../../components/dialog';
import { EmptyState } from '../../../components/empty-state';
import { Instant } from '../../../components/instant';
import { TextLink } from '../../../components/link';
import { LongTable, longColumns } from '../../../components/long-table';
import { actionText } from '../../../format/action';
import { exactCount } from '../../../format/count';
import { shortId } from '../../../format/id';
import { keySubjects } from '../../activity/key-subjects';
import { useKeyNames } from '../../usage/names';
import { ActorName, type KnownPerson } from './actor-name';
import { machineIdIn, useMachineName } from './machine-name';
import facts from '../../../components/facts.module.css';
import rowCard from '../../../components/row-card.module.css';
import { detailsLine, detailsOf } from './details-line';

type Entry = Reply<'listAudit'>['data'][number];

const helper = longColumns<Entry>();
const { columns: names } = audit;
const ACTIONS = { ...activity.actions, ...audit.actions };

type KeyNamer = (id: string) => string;

/** Links accounts, people, machines, payments and the accounts of notes. Shows keys by name. Other ids can be copied. */
function Subject({ subject, details, keyName }: Pick<Entry, 'subject'> & Partial<Pick<Entry, 'details'>> & { readonly keyName: KeyNamer }) {
  if (subject.startsWith('key_')) return <span title={subject}>{keyName(subject)}</span>;
  if (subject.startsWith('acct_')) return <AccountName id={subject} />;
  if (subject.startsWith('note_') && typeof details?.['accountId'] === 'string') return <AccountName id={details['accountId']} />;
  if (subject.startsWith('person_') || subject.startsWith('mach_')) return <ActorName id={subject} />;
  if (subject.startsWith('pay_')) return <TextLink to="/operator/payments/$id" params={{ id: subject }} title={subject}>{common.payment}</TextLink>;
  if (subject === 'all') return <>{audit.allAccounts}</>;
  return /^[a-z]+_/.test(subject) ? <CopyId id={subject} /> : <span title={subject}>{subject}</span>;
}

/** The machine is first, because a narrow cell cuts off the end. */
function placeOf({ origin }: Entry): string {
  if (origin.place === 'command-line') return `${audit.commandLine}${origin.user === null ? '' : `, ${origin.user}`}`;
  const parts = [origin.via === null ? null : audit.via(origin.via), origin.address].filter((part) => part !== null);
  return parts.length === 0 ? common.none : parts.join(', ');
}

/** Where an act came from, with the name of the machine; its whole id is in the title. */
function Place({ entry }: { readonly entry: Entry }) {
  const { via } = entry.origin;
  const name = useMachineName(via);
  const machine = via === null ? null : name ?? shortId(machineIdIn(via) ?? via);
  return <span title={placeOf(entry)}>{placeOf({ ...entry, origin: { ...entry.origin, via: machine } })}</span>;
}

function columnsFor(owner: KnownPerson | null | undefined, keyName: KeyNamer) {
  return helper.columns([
    helper.display({ id: 'number', header: names.number, meta: { track: '56px', numeric: true }, cell: ({ row: { original } }) => exactCount(original.number) }),
    helper.display({ id: 'at', header: names.at, meta: { track: '110px' }, cell: ({ row: { original } }) => <Instant at={original.at} /> }),
    helper.display({ id: 'action', header: names.action, meta: { track: 'minmax(140px, 1fr)' }, cell: ({ row: { original } }) => <strong title={original.action}>{actionText(original.action, ACTIONS)}</strong> }),
    helper.display({ id: 'subject', header: names.subject, meta: { track: '150px' }, cell: ({ row: { original } }) => <Subject {...original} keyName={keyName} /> }),
    helper.display({ id: 'by', header: names.by, meta: { track: 'minmax(130px, 1fr)' }, cell: ({ row: { original } }) => <ActorName id={original.actor.id} owner={owner} /> }),
    helper.display({ id: 'from', header: names.from, meta: { track: 'minmax(110px, 1fr)' }, cell: ({ row: { original } }) => <Place entry={original} /> }),
    helper.display({ id: 'what', header: names.what, meta: { track: 'minmax(130px, 1fr)' }, cell: ({ row: { original } }) => <span className="muted" title={detailsLine(original)}>{detailsLine(original)}</span> }),
  ]);
}

function Line({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return <><dt className="muted">{name}</dt><dd>{children}</dd></>;
}

interface WholeEntryProps {
  readonly entry: Entry;
  readonly owner: KnownPerson | null | undefined;
  readonly keyName: KeyNamer;
}

function WholeEntry({ entry, owner, keyName }: WholeEntryProps) {
  return (
    <dl className={facts['facts']}>
      <Line name={names.at}><Instant at={entry.at} precise /></Line>
      <Line name={names.action}>{actionText(entry.action, ACTIONS)} <span className="mono muted">{entry.action}</span></Line>
      <Line name={names.subject}><Subject subject={entry.subject} keyName={keyName} />{entry.subject.startsWith('key_') && <> <CopyId id={entry.subject} /></>}</Line>
      {entry.account_id !== null && <Line name={audit.account}><Subject subject={entry.account_id} keyName={keyName} /></Line>}
      <Line name={names.by}>{audit.kinds[entry.actor.kind]}: <ActorName id={entry.actor.id} owner={owner} /></Line>
      <Line name={names.from}><Place entry={entry} /></Line>
      {detailsOf(entry).map(([name, value]) => <Line key={name} name={name}>{value}</Line>)}
    </dl>
  );
}

function cardFor(owner: KnownPerson | null | undefined, keyName: KeyNamer) {
  return (entry: Entry) => (
    <div className={rowCard['card']}>
      <div className={rowCard['line']}><strong title={entry.action}>{actionText(entry.action, ACTIONS)}</strong><Instant at={entry.at} /></div>
      <div className={rowCard['line']}><Subject {...entry} keyName={keyName} /><span><ActorName id={entry.actor.id} owner={owner} /></span></div>
      <div className={rowCard['line']}><span className="muted">{entry.origin.via === null ? detailsLine(entry) : <Place entry={entry} />}</span></div>
    </div>
  );
}

const CARD_HEIGHT = 98;

interface AuditListProps {
  readonly label: string;
  readonly query: NonNullable<Input<'listAudit'>['query']>;
  readonly owner?: KnownPerson | null;
  readonly empty?: ReactNode;
}

export function AuditList({ label, query, owner, empty = <EmptyState title={audit.none} /> }: AuditListProps) {
  const list = useRouteList('listAudit', { query: { ...query } });
  const [opened, setOpened] = useState<Entry | null>(null);
  const keyName = useKeyNames(keySubjects(list.data?.pages.flatMap(({ data }) => data) ?? []), 'all');
  const columns = useMemo(() => columnsFor(owner, keyName), [owner, keyName]);
  const card = useMemo(() => cardFor(owner, keyName), [owner, keyName]);
  return (
    <>
      <LongTable
        name="audit"
        label={label} list={list} columns={columns} idOf={({ number }) => String(number)} card={card} cardHeight={CARD_HEIGHT}
        opened={opened === null ? undefined : String(opened.number)} onOpen={setOpened} empty={empty}
      />
      <Dialog opened={opened !== null} title={opened === null ? '' : audit.entry(opened.number)} onClose={() => setOpened(null)}>
        {opened !== null && <WholeEntry entry={opened} owner={owner} keyName={keyName} />}
      </Dialog>
    </>
  );
}
