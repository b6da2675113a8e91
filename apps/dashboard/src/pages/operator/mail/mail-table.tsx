import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import { mail } from '#texts/mail';
import { call, type Reply } from '../../../api/call';
import type { LongList } from '../../../components/long-list';
import { FormProblem } from '../../../components/form-problem';
import { useFreshCall } from '../../../components/fresh-proof';
import { Instant } from '../../../components/instant';
import { TextLink } from '../../../components/link';
import { LongTable, longColumns } from '../../../components/long-table';
import { Note } from '../../../components/note';
import { Status } from '../../../components/status';
import { preciseInstant } from '../../../format/instant';
import rowCard from '../../../components/row-card.module.css';
import classes from './mail.module.css';

export type ListedMail = Reply<'listMail'>['data'][number];

const helper = longColumns<ListedMail>();
const { columns: names } = mail;
const TONES = { waiting: 'warning', delivered: 'good', 'given-up': 'bad' } as const;

function State({ state }: Pick<ListedMail, 'state'>) {
  return <span className={classes['state']}><Status value={mail.states[state]} tone={TONES[state]} /></span>;
}

function Recipient({ to, account_id: id }: ListedMail) {
  return id === null ? <span title={to}>{to}</span> : <TextLink to="/operator/accounts/$id" params={{ id }} search={{ tab: 'mail' }} title={to}>{to}</TextLink>;
}

/** Result of the last try in words. After a failure, the reason with the server's code. */
function reasonOf({ state, last_error: code, error_reason: reason, attempts }: ListedMail): string {
  if (state === 'delivered') return mail.accepted;
  if (reason === null) return attempts === 0 ? mail.notTried : '';
  return code === 'expired' ? mail.reasons[reason] : `${mail.reasons[reason]} (${code ?? ''})`;
}

function Delivery(message: ListedMail) {
  const { attempts, ended_at: ended, next_attempt_at: next } = message;
  const reason = reasonOf(message);
  return (
    <span title={reason}>
      {reason} <span className="muted">· {mail.tries(attempts)}{ended !== null && <>, <Instant at={ended} /></>}{next !== null && <>, {mail.nextTry} <Instant at={next} /></>}</span>
    </span>
  );
}

interface SendAgainProps {
  readonly message: ListedMail;
  readonly sending: string | null;
  readonly onSend: (id: string) => void;
}

function SendAgain({ message: { id, kind, to, state, resendable, stored_at: at }, sending, onSend }: SendAgainProps) {
  if (state === 'waiting') return null;
  if (!resendable) return <span className="muted" title={mail.cannotHelp}>{mail.cannot}</span>;
  return (
    <Button size="compact-xs" variant="default" aria-label={mail.sendAgainTo(mail.kinds[kind], to, preciseInstant(at))} loading={sending === id} disabled={sending !== null} onClick={() => onSend(id)}>
      {mail.sendAgain}
    </Button>
  );
}

type Acts = Omit<SendAgainProps, 'message'>;

function columnsWith(acts: Acts) {
  return helper.columns([
    helper.display({ id: 'stored', header: names.stored, meta: { track: '95px' }, cell: ({ row: { original } }) => <Instant at={original.stored_at} /> }),
    helper.display({ id: 'to', header: names.to, meta: { track: 'minmax(135px, 1fr)' }, cell: ({ row: { original } }) => <Recipient {...original} /> }),
    helper.display({ id: 'kind', header: names.kind, meta: { track: 'minmax(135px, 1fr)' }, cell: ({ row: { original } }) => <span title={original.subject ?? mail.kinds[original.kind]}>{mail.kinds[original.kind]}</span> }),
    helper.display({ id: 'state', header: names.state, meta: { track: '108px' }, cell: ({ row: { original } }) => <State {...original} /> }),
    helper.display({ id: 'delivery', header: names.delivery, meta: { track: 'minmax(270px, 2fr)' }, cell: ({ row: { original } }) => <Delivery {...original} /> }),
    helper.display({ id: 'act', header: names.act, meta: { track: '130px' }, cell: ({ row: { original } }) => <SendAgain message={original} {...acts} /> }),
  ]);
}

function cardWith(acts: Acts) {
  return (message: ListedMail) => (
    <div className={rowCard['card']}>
      <div className={rowCard['line']}><strong>{mail.kinds[message.kind]}</strong><State {...message} /></div>
      <div className={rowCard['line']}><Recipient {...message} /><Instant at={message.stored_at} /></div>
      <div className={rowCard['line']}><Delivery {...message} /></div>
      <div className={rowCard['line']}><SendAgain message={message} {...acts} /></div>
    </div>
  );
}

const CARD_HEIGHT = 134;

function idOf({ id }: ListedMail): string {
  return id;
}

interface MailTableProps {
  readonly list: LongList<ListedMail>;
  readonly empty: ReactNode;
}

export function MailTable({ list, empty }: MailTableProps) {
  const client = useQueryClient();
  const fresh = useFreshCall();
  const resending = useMutation({
    mutationFn: (id: string) => fresh(() => call('resendMail', { params: { id } })),
    onSuccess: () => client.invalidateQueries({ queryKey: ['list', 'listMail'] }),
  });
  const { mutate, isPending, variables } = resending;
  const acts = useMemo<Acts>(() => ({ sending: isPending ? variables : null, onSend: mutate }), [isPending, variables, mutate]);
  const columns = useMemo(() => columnsWith(acts), [acts]);
  const card = useMemo(() => cardWith(acts), [acts]);
  return (
    <>
      {resending.data !== undefined && <Note kind="good" announced>{mail.sentAgain(resending.data.to)}</Note>}
      <FormProblem error={resending.error} />
      <LongTable name="mail" label={mail.list} list={list} columns={columns} idOf={idOf} card={card} cardHeight={CARD_HEIGHT} empty={empty} />
    </>
  );
}
