import { Button, Table } from '@mantine/core';
import { activity as texts } from '#texts/activity';
import { common } from '#texts/common';
import type { Reply } from '../../api/call';
import { useRouteList } from '../../api/use-route';
import { Card } from '../../components/card';
import { EmptyState } from '../../components/empty-state';
import { Failure } from '../../components/failure';
import { Instant } from '../../components/instant';
import { Page } from '../../components/page';
import { Loading } from '../../components/part';
import { actionText } from '../../format/action';
import { keySubjects } from './key-subjects';
import { useKeyNames } from '../usage/names';
import { ActivitySubject } from './activity-subject';
import { BookingLine } from './booking-line';
import classes from './activity.module.css';

type Entry = Reply<'activity'>['data'][number];

const LIST_HEIGHT = 400;

function Row({ entry: { at, action, subject, by, address, via, booking }, keyName }: { readonly entry: Entry; readonly keyName: (id: string) => string }) {
  return (
    <Table.Tr>
      <Table.Td className={classes['when'] ?? ''}><Instant at={at} /></Table.Td>
      <Table.Td className={`${classes['what']} in-text`}>{actionText(action, texts.actions)} <ActivitySubject id={subject} keyName={keyName} />{booking !== null && <BookingLine booking={booking} />}</Table.Td>
      <Table.Td className={classes['who'] ?? ''}>{texts.by[by]}{via !== null && <div className="muted" title={via}>{texts.via}</div>}</Table.Td>
      <Table.Td className={`${classes['from']} ${address === null ? classes['nowhere'] : ''} mono`}>{address ?? common.none}</Table.Td>
    </Table.Tr>
  );
}

export function ActivityPage() {
  const list = useRouteList('activity', {});
  const entries = list.data?.pages.flatMap(({ data }) => data) ?? [];
  const keyName = useKeyNames(keySubjects(entries));
  return (
    <Page title={texts.title} help={texts.help}>
      {list.isError && <Failure error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && <Loading height={LIST_HEIGHT} />}
      {list.data !== undefined && entries.length === 0 && <EmptyState title={texts.empty} />}
      {entries.length > 0 && (
        <Card label={texts.title}>
          <Table className={classes['table']}>
            <Table.Thead><Table.Tr><Table.Th>{texts.when}</Table.Th><Table.Th>{texts.what}</Table.Th><Table.Th>{texts.who}</Table.Th><Table.Th>{texts.from}</Table.Th></Table.Tr></Table.Thead>
            <Table.Tbody>{entries.map((entry) => <Row key={entry.id} entry={entry} keyName={keyName} />)}</Table.Tbody>
          </Table>
        </Card>
      )}
      {list.hasNextPage && (
        <div className={classes['more']}><Button variant="default" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>{texts.older}</Button></div>
      )}
    </Page>
  );
}
