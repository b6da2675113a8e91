import { common } from '#texts/common';
import { usage } from '#texts/usage';
import { AccountName } from '../../components/account-name';
import { Amount } from '../../components/amount';
import { Instant } from '../../components/instant';
import { longColumns } from '../../components/long-columns';
import { exactCount } from '../../format/count';
import { shortId } from '../../format/id';
import { ModelLabel } from '../models/model-label';
import { useModelNames } from '../models/model-names';
import { EndingBadge } from './ending';
import { RecordLink } from './record-link';
import { durationOf, firstTokenOf } from './request-times';
import type { UsageRow } from './usage-rows';
import type { Scope } from './usage-search';
import rowCard from '../../components/row-card.module.css';

interface RowNames {
  readonly scope: Scope;
  readonly keyName: (id: string) => string;
}

const helper = longColumns<UsageRow>();
const texts = usage.records;

function ModelName({ row }: { readonly row: UsageRow }) {
  const modelName = useModelNames();
  const id = row.model ?? row.requested_model;
  return row.fallback_used ? <span title={texts.fallback(row.requested_model)}>{modelName(id)} ⤳</span> : <ModelLabel id={id} />;
}

/** Operators see the account instead of the key. */
export function usageColumns({ scope, keyName }: RowNames) {
  const account = helper.display({ id: 'account', header: texts.account, meta: { track: 'minmax(120px, 1fr)' }, cell: ({ row }) => <AccountName id={row.original.account_id ?? ''} /> });
  const key = helper.display({ id: 'key', header: texts.key, meta: { track: 'minmax(120px, 1fr)' }, cell: ({ row }) => keyCell(row.original, keyName) });
  return [
    helper.display({ id: 'ended', header: texts.ended, meta: { track: '162px' }, cell: ({ row }) => <RecordLink scope={scope} requestId={row.original.request_id}><Instant at={row.original.ended_at} precise /></RecordLink> }),
    ...(scope === 'all' ? [account] : []),
    helper.display({ id: 'model', header: texts.model, meta: { track: 'minmax(140px, 1.3fr)' }, cell: ({ row }) => <ModelName row={row.original} /> }),
    ...(scope === 'all' ? [] : [key]),
    helper.display({ id: 'prompt', header: texts.prompt, meta: { track: '92px', numeric: true, leaves: 3 }, cell: ({ row }) => exactCount(row.original.usage.prompt_tokens) }),
    helper.display({ id: 'output', header: texts.output, meta: { track: '92px', numeric: true, leaves: 2 }, cell: ({ row }) => exactCount(row.original.usage.output_tokens) }),
    helper.display({ id: 'first', header: texts.firstToken, meta: { track: '84px', numeric: true, leaves: 4 }, cell: ({ row }) => firstTokenOf(row.original) ?? common.none }),
    helper.display({ id: 'duration', header: texts.duration, meta: { track: '84px', numeric: true, leaves: 1 }, cell: ({ row }) => durationOf(row.original) }),
    helper.display({ id: 'charge', header: texts.charge, meta: { track: '150px', numeric: true }, cell: ({ row }) => <Amount value={row.original.svc_tokens_debited} usd={row.original.svc_cost_usd} full /> }),
    helper.display({ id: 'ending', header: texts.ending, meta: { track: '148px' }, cell: ({ row }) => <EndingBadge reason={row.original.end_reason} /> }),
    helper.display({ id: 'request', header: texts.request, meta: { track: '136px', isExtra: true }, cell: ({ row: { original: { request_id: id } } }) => <span className="mono" title={id}>{shortId(id)}</span> }),
    helper.display({ id: 'user', header: texts.user, meta: { track: 'minmax(80px, 1fr)', isExtra: true }, cell: ({ row: { original: { user } } }) => (user === null ? common.none : <span title={user}>{user}</span>) }),
  ];
}

function keyCell({ key_id: keyId }: UsageRow, keyName: RowNames['keyName']) {
  return keyId === null ? common.none : <span title={keyId}>{keyName(keyId)}</span>;
}

/** A request in a narrow window. */
export function UsageCard({ row, scope, keyName }: RowNames & { readonly row: UsageRow }) {
  return (
    <div className={rowCard['card']}>
      <div className={rowCard['line']}><RecordLink scope={scope} requestId={row.request_id}><strong><ModelName row={row} /></strong></RecordLink><Amount value={row.svc_tokens_debited} usd={row.svc_cost_usd} full /></div>
      <div className={rowCard['line']}><span className="muted"><Instant at={row.ended_at} /> {'·'} {scope === 'all' ? <AccountName id={row.account_id ?? ''} /> : keyCell(row, keyName)}</span><EndingBadge reason={row.end_reason} /></div>
      <div className={rowCard['line']}><span className="muted">{texts.inAndOut(exactCount(row.usage.prompt_tokens), exactCount(row.usage.output_tokens))}</span><span className="muted num">{durationOf(row)}</span></div>
    </div>
  );
}
