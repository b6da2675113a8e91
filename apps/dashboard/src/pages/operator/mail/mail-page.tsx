import { Button } from '@mantine/core';
import { useState } from 'react';
import { common } from '#texts/common';
import { mail } from '#texts/mail';
import type { Reply } from '../../../api/call';
import { useRouteList } from '../../../api/use-route';
import { EmptyState } from '../../../components/empty-state';
import { Instant } from '../../../components/instant';
import { LongTable, longColumns } from '../../../components/long-table';
import { Note } from '../../../components/note';
import { Page } from '../../../components/page';
import { Status } from '../../../components/status';
import { exactCount } from '../../../format/count';
import { useMe } from '../../../session/person';
import classes from './mail.module.css';
import { TestMailDialog } from './test-mail-dialog';

type Mail = Reply<'listMail'>['data'][number];

const helper = longColumns<Mail>();
const { columns: names } = mail;

function Erasable({ text }: { readonly text: string | null }) {
  return text === null ? <span className="muted">{mail.erased}</span> : <span title={text}>{text}</span>;
}

function State({ state }: Pick<Mail, 'state'>) {
  const tone = { waiting: 'warning', delivered: 'good', 'given-up': 'bad' } as const;
  return <Status value={mail.states[state] ?? state} tone={tone[state]} />;
}

function NextOrEnd({ ended_at: ended, next_attempt_at: next }: Mail) {
  const at = ended ?? next;
  return at === null ? <>{common.none}</> : <Instant at={at} />;
}

const columns = helper.columns([
  helper.display({ id: 'to', header: names.to, meta: { track: 'minmax(150px, 1fr)' }, cell: ({ row: { original } }) => <Erasable text={original.to} /> }),
  helper.display({ id: 'subject', header: names.subject, meta: { track: 'minmax(150px, 1fr)' }, cell: ({ row: { original } }) => <Erasable text={original.subject} /> }),
  helper.display({ id: 'state', header: names.state, meta: { track: '100px' }, cell: ({ row: { original } }) => <State {...original} /> }),
  helper.display({ id: 'tries', header: names.tries, meta: { track: '50px', numeric: true }, cell: ({ row: { original } }) => exactCount(original.attempts) }),
  helper.display({ id: 'error', header: names.error, meta: { track: 'minmax(110px, 1fr)' }, cell: ({ row: { original } }) => <span className="mono" title={original.last_error ?? ''}>{original.last_error ?? common.none}</span> }),
  helper.display({ id: 'stored', header: names.stored, meta: { track: '115px' }, cell: ({ row: { original } }) => <Instant at={original.stored_at} /> }),
  helper.display({ id: 'next', header: names.next, meta: { track: '125px' }, cell: ({ row: { original } }) => <NextOrEnd {...original} /> }),
]);

function cardOf(message: Mail) {
  return (
    <div className={classes['card']}>
      <div className={classes['line']}><strong><Erasable text={message.subject} /></strong><State {...message} /></div>
      <div className={classes['line']}><Erasable text={message.to} /><Instant at={message.stored_at} /></div>
      <div className={classes['line']}><span className="muted">{mail.tries(message.attempts)}</span><span className="mono">{message.last_error ?? ''}</span></div>
    </div>
  );
}

const CARD_HEIGHT = 98;

/** Shows no text or link of any message. */
export function MailPage() {
  const { settings } = useMe();
  const list = useRouteList('listMail', {});
  const [isTesting, setTesting] = useState(false);
  const [sentTo, setSentTo] = useState<string | null>(null);
  return (
    <Page title={mail.title} help={mail.help} action={<Button onClick={() => setTesting(true)}>{mail.test}</Button>}>
      {!settings.mail && <Note kind="info">{mail.files}</Note>}
      {sentTo !== null && <Note kind="good" announced>{mail.sent(sentTo)}</Note>}
      <LongTable
        label={mail.list} list={list} columns={columns} idOf={({ id }) => id} card={cardOf} cardHeight={CARD_HEIGHT}
        empty={<EmptyState title={mail.none} help={mail.noneHelp} action={<Button variant="default" onClick={() => setTesting(true)}>{mail.test}</Button>} />}
      />
      <TestMailDialog opened={isTesting} onClose={() => setTesting(false)} onSent={setSentTo} />
    </Page>
  );
}
