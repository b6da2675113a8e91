import { Table } from '@mantine/core';
import { account as texts } from '#texts/account';
import { common } from '#texts/common';
import type { Reply } from '../../api/call';
import { Card } from '../../components/card';
import { Instant } from '../../components/instant';
import { exactCount } from '../../format/count';
import { ModelLabel } from '../models/model-label';
import classes from './account.module.css';

const { plan } = texts;

function written(limit: number | null): string {
  return limit === null ? common.none : exactCount(limit);
}

export function IncidentLimits({ limits }: { readonly limits: Reply<'account'>['limits']['models'] }) {
  return (
    <Card title={plan.incidents}>
      <div>{plan.incidentsLead}</div>
      <Table className={classes['table']}>
        <Table.Thead>
          <Table.Tr><Table.Th>{plan.model}</Table.Th><Table.Th>{plan.requests}</Table.Th><Table.Th>{plan.tokens}</Table.Th><Table.Th>{plan.running}</Table.Th><Table.Th>{plan.until}</Table.Th></Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {limits.map(({ model, requests_per_minute: requests, tokens_per_minute: tokens, concurrent_requests: running, expires_at: until }) => (
            <Table.Tr key={model}>
              <Table.Td><ModelLabel id={model} /></Table.Td>
              <Table.Td data-label={plan.requests} className="num">{written(requests)}</Table.Td>
              <Table.Td data-label={plan.tokens} className="num">{written(tokens)}</Table.Td>
              <Table.Td data-label={plan.running} className="num">{written(running)}</Table.Td>
              <Table.Td data-label={plan.until}>{until === null ? plan.open : <Instant at={until} />}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Card>
  );
}
