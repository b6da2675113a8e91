import { Badge, Button, Table } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { account as texts } from '#texts/account';
import { call, type Reply } from '../../api/call';
import { keyOf, useRoute } from '../../api/use-route';
import { Card } from '../../components/card';
import { DangerDialog } from '../../components/confirm-dialog';
import { Instant } from '../../components/instant';
import { Part } from '../../components/part';
import { preciseInstant } from '../../format/instant';
import { browserOf } from '../../format/user-agent';
import classes from './account.module.css';

type Session = Reply<'listSessions'>['data'][number];

const { sessions } = texts;
const PART_HEIGHT = 160;

function nameOf({ user_agent: userAgent }: Session): string {
  return browserOf(userAgent) ?? sessions.unknownBrowser;
}

function Row({ session, onEnd }: { readonly session: Session; readonly onEnd: () => void }) {
  const browser = nameOf(session);
  return (
    <Table.Tr>
      <Table.Td title={session.user_agent ?? undefined}>{browser}{session.is_current && <Badge className={classes['current']}>{sessions.current}</Badge>}</Table.Td>
      <Table.Td data-label={sessions.by} title={session.via ?? undefined}>{sessions.ways[session.signed_in_by]}</Table.Td>
      <Table.Td data-label={sessions.address} className="mono">{session.address}</Table.Td>
      <Table.Td data-label={sessions.since}><Instant at={session.created_at} /></Table.Td>
      <Table.Td data-label={sessions.lastUsed}><Instant at={session.last_used_at} relative /></Table.Td>
      <Table.Td>{!session.is_current && <Button size="xs" variant="outline" color="red" aria-label={sessions.endLabel(browser, session.address, preciseInstant(session.created_at))} onClick={onEnd}>{sessions.end}</Button>}</Table.Td>
    </Table.Tr>
  );
}

function SessionTable({ list, onEnd }: { readonly list: readonly Session[]; readonly onEnd: (session: Session) => void }) {
  return (
    <Table className={classes['table']}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{sessions.browser}</Table.Th><Table.Th>{sessions.by}</Table.Th><Table.Th>{sessions.address}</Table.Th><Table.Th>{sessions.since}</Table.Th>
          <Table.Th>{sessions.lastUsed}</Table.Th><Table.Th><span className="visually-hidden">{sessions.actions}</span></Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>{list.map((session) => <Row key={session.id} session={session} onEnd={() => onEnd(session)} />)}</Table.Tbody>
    </Table>
  );
}

export function SessionsTab() {
  const query = useRoute('listSessions', {});
  const client = useQueryClient();
  const [ending, setEnding] = useState<Session | null>(null);
  const [everywhere, setEverywhere] = useState(false);
  const end = async () => {
    if (ending === null) return;
    await call('endSession', { params: { id: ending.id } });
    await client.invalidateQueries({ queryKey: keyOf('listSessions') });
  };
  const endAll = async () => {
    await call('signOutEverywhere', {});
    client.clear();
    window.location.assign('/dashboard/sign-in');
  };
  return (
    <div className={classes['wide']}>
      <Card title={sessions.title} aside={<Button variant="outline" color="red" onClick={() => setEverywhere(true)}>{sessions.everywhere}</Button>}>
        <div className="muted">{sessions.lead}</div>
        <Part query={query} height={PART_HEIGHT}>{({ data }) => <SessionTable list={data} onEnd={setEnding} />}</Part>
      </Card>
      <DangerDialog
        opened={ending !== null} title={sessions.endTitle(ending === null ? '' : nameOf(ending))} effect={sessions.endEffect} action={sessions.endSession}
        onConfirm={end} onClose={() => setEnding(null)}
      />
      <DangerDialog
        opened={everywhere} title={sessions.everywhereTitle} effect={sessions.everywhereEffect} action={sessions.everywhere} onConfirm={endAll} onClose={() => setEverywhere(false)}
      />
    </div>
  );
}
