import { Button, Progress, Table } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { books } from '#texts/books';
import { common } from '#texts/common';
import { call, type Reply } from '../../../api/call';
import { keyOf, routeQuery } from '../../../api/use-route';
import { AccountName } from '../../../components/account-name';
import { Card } from '../../../components/card';
import { FormProblem } from '../../../components/form-problem';
import { Instant } from '../../../components/instant';
import { Note } from '../../../components/note';
import { Page } from '../../../components/page';
import { Part } from '../../../components/part';
import { duration } from '../../../format/duration';
import classes from './books.module.css';
import { gatewayNow } from '../../../format/gateway-time';

type Checks = Reply<'ledgerChecks'>;
type Check = NonNullable<Checks['last']>;

const WHILE_RUNNING = 1_000;
const OTHERWISE = 15_000;
const MILLISECONDS = 1_000;
const PAGE_HEIGHT = 360;

/** Whole seconds since the instant, in milliseconds; updated every second. */
function useElapsed(since: string): number {
  const [now, setNow] = useState(() => gatewayNow().getTime());
  useEffect(() => {
    const timer = window.setInterval(() => setNow(gatewayNow().getTime()), MILLISECONDS);
    return () => window.clearInterval(timer);
  }, []);
  return Math.max(0, Math.floor((now - Date.parse(since)) / MILLISECONDS) * MILLISECONDS);
}

function Running({ since }: { readonly since: string }) {
  return (
    <div className={classes['running']}>
      <Progress value={100} animated aria-label={books.checking} />
      <span className="muted num">{books.runningFor(duration(useElapsed(since)))}</span>
    </div>
  );
}

function Line({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return <><dt className="muted">{name}</dt><dd className="num">{children}</dd></>;
}

function LastCheck({ check }: { readonly check: Check }) {
  const { started_at: started, ended_at: ended, differences } = check;
  return (
    <>
      {differences === 0 ? <Note kind="good">{books.sound}</Note> : <Note kind="bad">{books.unsound(differences)} {books.unsoundNext}</Note>}
      <dl className={classes['figures']}>
        <Line name={books.ended}><Instant at={ended} /></Line>
        <Line name={books.took}>{duration(Date.parse(ended) - Date.parse(started))}</Line>
        <Line name={books.accounts}>{books.count(check.accounts)}</Line>
        <Line name={books.entries}>{books.count(check.entries)}</Line>
        <Line name={books.records}>{books.count(check.usage_records)}</Line>
        <Line name={books.differences}>{books.count(differences)}</Line>
      </dl>
      {check.named_differences.length > 0 && <Differences check={check} />}
    </>
  );
}

function Differences({ check: { named_differences: named } }: { readonly check: Check }) {
  return (
    <div className={classes['table']}>
      <Table>
        <Table.Caption>{books.named}</Table.Caption>
        <Table.Thead><Table.Tr><Table.Th>{books.rule}</Table.Th><Table.Th>{books.account}</Table.Th><Table.Th>{books.expected}</Table.Th><Table.Th>{books.found}</Table.Th></Table.Tr></Table.Thead>
        <Table.Tbody>
          {named.map(({ invariant, account_id: id, expected, found }) => (
            <Table.Tr key={`${invariant} ${id ?? ''} ${expected} ${found}`}>
              <Table.Td>{invariant}</Table.Td>
              <Table.Td>{id === null ? common.none : <AccountName id={id} />}</Table.Td>
              <Table.Td className="num">{expected}</Table.Td>
              <Table.Td className="num">{found}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

function isUnderWay(checks: Checks | undefined): boolean {
  return checks !== undefined && checks.running_since !== null;
}

export function BooksPage() {
  const client = useQueryClient();
  const checks = useQuery({ ...routeQuery('ledgerChecks', {}), refetchInterval: ({ state }) => (isUnderWay(state.data) ? WHILE_RUNNING : OTHERWISE) });
  const isRunning = isUnderWay(checks.data);
  const start = useMutation({ mutationFn: () => call('checkLedger', {}), onSuccess: (state) => client.setQueryData(keyOf('ledgerChecks', {}), state) });
  return (
    <Page title={books.title} help={books.help} action={<Button loading={start.isPending} disabled={isRunning} onClick={() => start.mutate()}>{books.check}</Button>}>
      <FormProblem error={start.error} />
      <Part query={checks} height={PAGE_HEIGHT}>
        {({ running_since: since, last, failures, interval_seconds: seconds, settlements_waiting: waiting }) => (
          <>
            <Card title={books.last}>
              <output aria-live="polite" className={classes['running']}>{since !== null && <Running since={since} />}</output>
              {last === null ? <span className="muted">{books.never}</span> : <LastCheck check={last} />}
            </Card>
            <div className={classes['cards']}>
              <Card title={books.waiting}>
                {waiting === 0 ? <span>{books.noneWaiting}</span> : <Note kind="warning">{books.someWaiting(waiting)}</Note>}
              </Card>
              <Card title={books.schedule}>
                <span>{seconds === null ? books.notScheduled : books.every(duration(seconds * MILLISECONDS))}</span>
                <span className={failures === 0 ? 'muted' : classes['bad']}>{books.failures(failures)}</span>
              </Card>
            </div>
          </>
        )}
      </Part>
    </Page>
  );
}
