import { Table } from '@mantine/core';
import { webhooks as texts } from '#texts/webhooks';
import { Instant } from '../../components/instant';
import { TextLink } from '../../components/link';
import cards from '../../components/rows-as-cards.module.css';
import { DeliveryStatus } from './delivery-status';
import type { Side } from './side';
import { hostOf, type ListedWebhook } from './webhook';
import { WebhookState } from './webhook-state';
import classes from './webhooks.module.css';

const { columns } = texts;

function Row({ webhook, side }: { readonly webhook: ListedWebhook; readonly side: Side }) {
  const { id, url, types, description, last_delivery: last } = webhook;
  return (
    <Table.Tr>
      <Table.Th scope="row" className={classes['wrapped'] ?? ''}>
        <span><TextLink to={side.onePage} params={{ id }} title={url}>{hostOf(url)}</TextLink>{description !== '' && <div className={classes['small']}>{description}</div>}</span>
      </Table.Th>
      <Table.Td data-label={columns.types}>{types === null ? texts.allTypes : <span title={types.join('\n')}>{texts.types(types.length)}</span>}</Table.Td>
      <Table.Td data-label={columns.state}><WebhookState webhook={webhook} /></Table.Td>
      <Table.Td data-label={columns.last}>{last === null ? texts.noDelivery : <span><DeliveryStatus delivery={last} /> <Instant at={last.last_attempt?.at ?? last.created_at} relative /></span>}</Table.Td>
    </Table.Tr>
  );
}

export function WebhookRows({ webhooks, side }: { readonly webhooks: readonly ListedWebhook[]; readonly side: Side }) {
  return (
    <Table.ScrollContainer minWidth={240} scrollAreaProps={{ viewportProps: { tabIndex: 0, 'aria-label': texts.list, role: 'region' } }}>
      <Table className={`${cards['table']} ${classes['table']}`} horizontalSpacing="sm" verticalSpacing={8}>
        <Table.Thead>
          <Table.Tr><Table.Th>{columns.url}</Table.Th><Table.Th>{columns.types}</Table.Th><Table.Th>{columns.state}</Table.Th><Table.Th>{columns.last}</Table.Th></Table.Tr>
        </Table.Thead>
        <Table.Tbody>{webhooks.map((webhook) => <Row key={webhook.id} webhook={webhook} side={side} />)}</Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
