import { Button, Table } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { common } from '#texts/common';
import { webhooks as texts } from '#texts/webhooks';
import { call } from '../../api/call';
import { useRouteList } from '../../api/use-route';
import { Card } from '../../components/card';
import { EmptyState } from '../../components/empty-state';
import { Failure } from '../../components/failure';
import { FormProblem } from '../../components/form-problem';
import { Instant } from '../../components/instant';
import { Loading } from '../../components/part';
import cards from '../../components/rows-as-cards.module.css';
import { exactCount } from '../../format/count';
import { duration } from '../../format/duration';
import { preciseInstant } from '../../format/instant';
import { DeliveryStatus } from './delivery-status';
import type { Side } from './side';
import type { Delivery } from './webhook';
import classes from './webhooks.module.css';

const { deliveries: labels } = texts;
const LIST_HEIGHT = 240;
/** Polling interval while a delivery waits for its first attempt. */
const POLL_MILLISECONDS = 2_000;

/** Why the last attempt failed, or its status and the beginning of its answer. */
function Answer({ attempt }: { readonly attempt: Delivery['last_attempt'] }) {
  if (attempt === null) return <>{common.none}</>;
  const { status, failure, answer } = attempt;
  const head = status === null ? failure ?? common.none : labels.status(status);
  return <span>{head}{answer !== null && answer !== '' && <span className={`${classes['answer']} mono`} title={answer}>{answer}</span>}</span>;
}

function Next({ delivery: { status, next_attempt_at: next } }: { readonly delivery: Delivery }) {
  if (status !== 'waiting') return <>{common.none}</>;
  return next === null ? <>{labels.atOnce}</> : <Instant at={next} />;
}

function Row({ delivery, onResend }: { readonly delivery: Delivery; readonly onResend: (delivery: Delivery) => void }) {
  const { type, created_at: queued, attempts, last_attempt: last } = delivery;
  const { columns } = labels;
  return (
    <Table.Tr>
      <Table.Th scope="row" className={`${classes['type']} mono`} title={delivery.event_id}>{type}</Table.Th>
      <Table.Td data-label={columns.queued}><Instant at={queued} /></Table.Td>
      <Table.Td data-label={columns.status}><DeliveryStatus delivery={delivery} /></Table.Td>
      <Table.Td data-label={columns.attempts}>{exactCount(attempts)}</Table.Td>
      <Table.Td data-label={columns.answer} className={classes['wrapped'] ?? ''}><Answer attempt={last} /></Table.Td>
      <Table.Td data-label={columns.duration}>{last === null ? common.none : duration(last.duration_ms)}</Table.Td>
      <Table.Td data-label={columns.next}><Next delivery={delivery} /></Table.Td>
      <Table.Td data-label={columns.actions}><Button size="xs" variant="default" aria-label={labels.resendOf(type, preciseInstant(queued))} onClick={() => onResend(delivery)}>{labels.resend}</Button></Table.Td>
    </Table.Tr>
  );
}

function Rows({ deliveries, onResend }: { readonly deliveries: readonly Delivery[]; readonly onResend: (delivery: Delivery) => void }) {
  const { columns } = labels;
  return (
    <Table.ScrollContainer minWidth={240} scrollAreaProps={{ viewportProps: { tabIndex: 0, 'aria-label': labels.title, role: 'region' } }}>
      <Table className={`${cards['table']} ${classes['table']}`} horizontalSpacing="sm" verticalSpacing={8}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{columns.event}</Table.Th><Table.Th>{columns.queued}</Table.Th><Table.Th>{columns.status}</Table.Th><Table.Th>{columns.attempts}</Table.Th><Table.Th>{columns.answer}</Table.Th>
            <Table.Th>{columns.duration}</Table.Th><Table.Th>{columns.next}</Table.Th><Table.Th><span className="visually-hidden">{columns.actions}</span></Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>{deliveries.map((delivery) => <Row key={delivery.event_id} delivery={delivery} onResend={onResend} />)}</Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

interface DeliveriesProps {
  readonly id: string;
  readonly side: Side;
  readonly onResent: () => void;
}

export function Deliveries({ id, side, onResent }: DeliveriesProps) {
  const list = useRouteList(side.deliveries, { params: { id } });
  const deliveries: readonly Delivery[] = list.data?.pages.flatMap(({ data }) => data) ?? [];
  const resend = useMutation({ mutationFn: ({ event_id: event }: Delivery) => call(side.resend, { params: { id }, query: { event_id: event } }), onSuccess: onResent });
  const { refetch } = list;
  const isDue = list.data?.pages.length === 1 && deliveries.some(({ status, next_attempt_at: next }) => status === 'waiting' && next === null);
  useEffect(() => {
    if (!isDue) return undefined;
    const timer = window.setInterval(() => void refetch(), POLL_MILLISECONDS);
    return () => window.clearInterval(timer);
  }, [isDue, refetch]);
  return (
    <Card title={labels.title} aside={<Button size="compact-sm" variant="subtle" onClick={() => void list.restart()}>{labels.refresh}</Button>}>
      {list.isError && <Failure error={list.error} onRetry={() => void refetch()} />}
      {list.isPending && <Loading height={LIST_HEIGHT} />}
      <FormProblem error={resend.error} />
      {list.data !== undefined && deliveries.length === 0 && <EmptyState title={labels.none} help={labels.noneHelp} />}
      {deliveries.length > 0 && <Rows deliveries={deliveries} onResend={(delivery) => resend.mutate(delivery)} />}
      {list.hasNextPage && <div><Button variant="default" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>{labels.older}</Button></div>}
    </Card>
  );
}
