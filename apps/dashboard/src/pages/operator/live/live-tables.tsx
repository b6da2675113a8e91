import { Checkbox, Table } from '@mantine/core';
import { useState } from 'react';
import { live as texts } from '#texts/live';
import type { LiveRequest } from '../../../api/live';
import { AccountName } from '../../../components/account-name';
import { Amount } from '../../../components/amount';
import { Card } from '../../../components/card';
import { CopyId } from '../../../components/copy-id';
import { Instant } from '../../../components/instant';
import { TextLink } from '../../../components/link';
import cards from '../../../components/rows-as-cards.module.css';
import { Status } from '../../../components/status';
import { amountOf } from '../../../format/amount';
import { exactCount, share } from '../../../format/count';
import { duration } from '../../../format/duration';
import { shortId } from '../../../format/id';
import { ModelLabel } from '../../models/model-label';
import { EndingBadge } from '../../usage/ending';
import { useKeyNames } from '../../usage/names';
import { busiestAccounts, type LiveSums } from './live-state';
import classes from './live.module.css';

/** The gateway's status for a client that disconnected before the reply. */
const CLIENT_LEFT = '499';

export function CodesCard({ sums }: { readonly sums: LiveSums }) {
  if (sums.codes.length === 0) return <Card title={texts.codes}><span className="muted">{texts.noResponses}</span></Card>;
  return (
    <Card title={texts.codes}>
      <Table>
        <Table.Thead><Table.Tr><Table.Th>{texts.code}</Table.Th><Table.Th className={classes['right']}>{texts.requests}</Table.Th><Table.Th className={classes['right']}>{texts.share}</Table.Th></Table.Tr></Table.Thead>
        <Table.Tbody>
          {sums.codes.map(([code, requests]) => (
            <Table.Tr key={code}>
              <Table.Td>{code === CLIENT_LEFT ? texts.clientLeft : <span className="mono">{code}</span>}</Table.Td>
              <Table.Td className={`${classes['right']} num`}>{exactCount(requests)}</Table.Td>
              <Table.Td className={`${classes['right']} num muted`}>{share(requests / Math.max(1, sums.requests))}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Card>
  );
}

export function BusiestCard({ requests }: { readonly requests: readonly LiveRequest[] }) {
  if (requests.length === 0) return <Card title={texts.busiest}><span className="muted">{texts.noneListed}</span></Card>;
  return (
    <Card title={texts.busiest}>
      <Table className={cards['table']}>
        <Table.Thead>
          <Table.Tr><Table.Th>{texts.account}</Table.Th><Table.Th className={classes['right']}>{texts.requests}</Table.Th><Table.Th className={classes['right']}>{texts.charged}</Table.Th><Table.Th className={classes['right']}>{texts.refused}</Table.Th></Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {busiestAccounts(requests).map((account) => (
            <Table.Tr key={account.id}>
              <Table.Td><span className={classes['name']}><AccountName id={account.id} /></span></Table.Td>
              <Table.Td data-label={texts.requests} className={`${classes['right']} num`}>{exactCount(account.requests)}</Table.Td>
              <Table.Td data-label={texts.charged} className={classes['right']}><Amount value={amountOf(account.charged)} /></Table.Td>
              <Table.Td data-label={texts.refused} className={`${classes['right']} num`}>{exactCount(account.refused)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <span className={classes['small']}>{texts.busiestHelp(requests.length)}</span>
    </Card>
  );
}

function RequestRow({ request, keyName }: { readonly request: LiveRequest; readonly keyName: (id: string) => string }) {
  const { request_id: id, at, account_id: account, key_id: key, model, code, end_reason: reason, svc_tokens: charged, duration_ms: took } = request;
  return (
    <Table.Tr>
      <Table.Td data-label={texts.time}><Instant at={at} precise /></Table.Td>
      <Table.Td data-label={texts.request}>{charged === null ? <CopyId id={id} /> : <TextLink to="/operator/usage/$requestId" params={{ requestId: id }} className="mono" title={id}>{shortId(id)}</TextLink>}</Table.Td>
      <Table.Td data-label={texts.account}>{account === null ? '–' : <span className={classes['name']}><AccountName id={account} /></span>}</Table.Td>
      <Table.Td data-label={texts.key}>{key === null ? '–' : <span title={key} className={classes['name']}>{keyName(key)}</span>}</Table.Td>
      <Table.Td data-label={texts.model}>{model === null ? '–' : <ModelLabel id={model} />}</Table.Td>
      <Table.Td data-label={texts.state}><span className={classes['state']}>{code === null ? (reason === null ? <Status value={texts.ok} tone="good" /> : <EndingBadge reason={reason} />) : <Status value={code} tone="bad" />}</span></Table.Td>
      <Table.Td data-label={texts.charged} className={classes['right']}>{charged === null ? '–' : <Amount value={charged} form="column" />}</Table.Td>
      <Table.Td data-label={texts.duration} className={`${classes['right']} num`}>{duration(took)}</Table.Td>
    </Table.Tr>
  );
}

export function LatestCard({ requests, skipped }: { readonly requests: readonly LiveRequest[]; readonly skipped: number }) {
  const [errorsOnly, setErrorsOnly] = useState(false);
  const keyName = useKeyNames(requests.map(({ key_id: key }) => key), 'all');
  const shown = errorsOnly ? requests.filter(({ code, end_reason: reason }) => code !== null || (reason !== null && reason !== 'completed')) : requests;
  return (
    <Card title={texts.latest} aside={<Checkbox label={texts.errorsOnly} checked={errorsOnly} onChange={({ currentTarget }) => setErrorsOnly(currentTarget.checked)} />}>
      {shown.length === 0 ? <span className="muted">{texts.noneListed}</span> : (
        <Table.ScrollContainer minWidth={240} scrollAreaProps={{ viewportProps: { tabIndex: 0, 'aria-label': texts.latest } }}>
          <Table horizontalSpacing="sm" className={cards['table']}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{texts.time}</Table.Th><Table.Th>{texts.request}</Table.Th><Table.Th>{texts.account}</Table.Th><Table.Th>{texts.key}</Table.Th><Table.Th>{texts.model}</Table.Th><Table.Th>{texts.state}</Table.Th>
                <Table.Th className={classes['right']}>{texts.charged}</Table.Th><Table.Th className={classes['right']}>{texts.duration}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>{shown.map((request) => <RequestRow key={request.request_id} request={request} keyName={keyName} />)}</Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      {skipped > 0 && <span className={classes['small']}>{texts.skipped(skipped)}</span>}
    </Card>
  );
}
