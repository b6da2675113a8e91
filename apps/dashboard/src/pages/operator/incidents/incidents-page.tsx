import { Button, Table } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { common } from '#texts/common';
import { incidents as texts } from '#texts/incidents';
import { call, type Reply } from '../../../api/call';
import { keyOf, useRoute } from '../../../api/use-route';
import { Card } from '../../../components/card';
import { DangerDialog } from '../../../components/confirm-dialog';
import { EmptyState } from '../../../components/empty-state';
import { Instant } from '../../../components/instant';
import { Page } from '../../../components/page';
import { Part } from '../../../components/part';
import cards from '../../../components/rows-as-cards.module.css';
import { Status } from '../../../components/status';
import { exactCount } from '../../../format/count';
import { meQuery } from '../../../session/person';
import { ServiceNotice } from '../../../shell/banner';
import { WholeModelLabel } from '../../models/model-label';
import classes from './incidents.module.css';
import { LimitDialog } from './limit-dialog';
import { MaintenanceDialog } from './maintenance-dialog';

type Limit = Reply<'listIncidentLimits'>['data'][number];
type Maintenance = Reply<'maintenance'>;

function MaintenanceCard({ maintenance, onEnd }: { readonly maintenance: Maintenance; readonly onEnd: () => void }) {
  const { state, from, until, text } = maintenance;
  if (state === 'off' || from === null || text === null) return <Card title={texts.maintenance} aside={<Status value="off" />}><span className="muted">{texts.off}</span></Card>;
  return (
    <Card title={texts.maintenance} aside={<Status value={state} />}>
      <strong>{texts.preview}</strong>
      <ServiceNotice announcement={{ kind: 'maintenance', state, from, until, text }} />
      <div className={classes['row']}><Button variant="default" onClick={onEnd}>{texts.end}</Button></div>
    </Card>
  );
}

function figure(count: number | null): string {
  return count === null ? common.noLimit : exactCount(count);
}

function LimitsTable({ limits, onClear }: { readonly limits: readonly Limit[]; readonly onClear: (limit: Limit) => void }) {
  return (
    <Table.ScrollContainer minWidth={240} scrollAreaProps={{ viewportProps: { tabIndex: 0, 'aria-label': texts.limits, role: 'region' } }}>
      <Table className={cards['table'] ?? ''}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{texts.model}</Table.Th><Table.Th className={classes['right']}>{texts.requests}</Table.Th><Table.Th className={classes['right']}>{texts.tokens}</Table.Th>
            <Table.Th className={classes['right']}>{texts.concurrent}</Table.Th><Table.Th>{texts.expires}</Table.Th><Table.Th><span className="visually-hidden">{texts.clear}</span></Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {limits.map((limit) => (
            <Table.Tr key={limit.model}>
              <Table.Th scope="row"><WholeModelLabel id={limit.model} /></Table.Th>
              <Table.Td data-label={texts.requests} className={`${classes['right']} num`}>{figure(limit.requests_per_minute)}</Table.Td>
              <Table.Td data-label={texts.tokens} className={`${classes['right']} num`}>{figure(limit.tokens_per_minute)}</Table.Td>
              <Table.Td data-label={texts.concurrent} className={`${classes['right']} num`}>{figure(limit.concurrent_requests)}</Table.Td>
              <Table.Td data-label={texts.expires}>{limit.expires_at === null ? texts.noExpiry : <Instant at={limit.expires_at} />}</Table.Td>
              <Table.Td className={classes['right']}><Button size="xs" variant="default" aria-label={texts.clearOf(limit.model)} onClick={() => onClear(limit)}>{texts.clear}</Button></Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

type Open = 'maintenance' | 'end' | 'limit' | null;

export function IncidentsPage() {
  const client = useQueryClient();
  const [open, setOpen] = useState<Open>(null);
  const [clearing, setClearing] = useState<Limit | null>(null);
  const maintenance = useRoute('maintenance', {});
  const limits = useRoute('listIncidentLimits', {});
  const close = () => setOpen(null);
  const refresh = () => Promise.all([keyOf('maintenance'), keyOf('listIncidentLimits'), meQuery.queryKey].map((queryKey) => client.invalidateQueries({ queryKey })));
  const end = () => call('setMaintenance', { body: { state: 'off' } }).then(refresh);
  const clear = ({ model }: Limit) => call('clearIncidentLimit', { params: { model } }).then(refresh);
  return (
    <Page title={texts.title} action={<><Button variant="default" onClick={() => setOpen('limit')}>{texts.limitModel}</Button><Button onClick={() => setOpen('maintenance')}>{texts.start}</Button></>}>
      <Part query={maintenance} height={120}>{(data) => <MaintenanceCard maintenance={data} onEnd={() => setOpen('end')} />}</Part>
      <Part query={limits} height={160}>
        {({ data }) => (
          <Card title={texts.limits}>
            {data.length === 0 ? <EmptyState title={texts.noLimits} help={texts.noLimitsHelp} /> : <LimitsTable limits={data} onClear={setClearing} />}
          </Card>
        )}
      </Part>
      <MaintenanceDialog opened={open === 'maintenance'} onClose={close} />
      <LimitDialog opened={open === 'limit'} onClose={close} />
      <DangerDialog opened={open === 'end'} title={texts.endTitle} effect={texts.endEffect} action={texts.end} onConfirm={end} onClose={close} />
      <DangerDialog
        opened={clearing !== null} title={texts.clearTitle(clearing?.model ?? '')} effect={texts.clearEffect} action={texts.clear} onClose={() => setClearing(null)}
        onConfirm={() => (clearing === null ? Promise.resolve() : clear(clearing))}
      />
    </Page>
  );
}
