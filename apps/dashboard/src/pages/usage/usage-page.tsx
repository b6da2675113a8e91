import { Navigate, useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { usage } from '#texts/usage';
import { addressOf } from '../../api/call';
import { useRoute, useRouteList } from '../../api/use-route';
import { ButtonLink } from '../../components/link';
import { useNarrow } from '../../components/use-narrow';
import { useUtcDay } from '../../components/use-utc-day';
import { useModelChoices } from '../models/model-names';
import { useKeyNames } from './names';
import { OwnRecord } from './own-record';
import { LIST_UP_TO, RequestList, type RequestListProps } from './request-list';
import { keysIn } from './usage-rows';
import { UsageScreen } from './usage-screen';
import { beforeQuery, exportQuery, isCompared, listQuery, sumGap, summaryQuery, type UsageSearch } from './usage-search';

export function UsagePage() {
  const search: UsageSearch = useSearch({ from: '/shell/usage' });
  const navigate = useNavigate();
  const narrow = useNarrow(LIST_UP_TO);
  const today = useUtcDay();
  const models = useModelChoices();
  const sums = useRoute('usageSummary', { query: summaryQuery(search, { today, scope: 'own' }) }, { enabled: sumGap(search, { today, scope: 'own' }) === null });
  const keyName = useKeyNames([...keysIn(sums.data), search.key_id]);
  const before = useRoute('usageSummary', { query: beforeQuery(search, today) }, { enabled: isCompared(search, { today, scope: 'own' }) });
  const go = (next: UsageSearch) => void navigate({ to: '/usage', search: next });
  const open = (requestId: string | undefined) => void (narrow && requestId !== undefined
    ? navigate({ to: '/usage/$requestId', params: { requestId } })
    : navigate({ to: '/usage', search: { ...search, record: requestId === search.record ? undefined : requestId } as UsageSearch, replace: true, resetScroll: false }));
  if (narrow && search.record !== undefined) return <Navigate to="/usage/$requestId" params={{ requestId: search.record }} replace />;
  return (
    <UsageScreen
      scope="own" before={before.data?.total} {...{ search, today, sums, models, keyName, go }}
      exportAddress={(format) => addressOf('exportUsage', { query: { ...exportQuery(search, today), format } })}
      requests={<OwnRequests {...{ search, today, go }} onOpen={open} record={recordOf} />}
    />
  );
}

/** A separate component, so that further pages of the list do not render the chart again. */
function OwnRequests(props: Omit<RequestListProps, 'scope' | 'list' | 'snippets' | 'keyName'>) {
  const list = useRouteList('listUsage', { query: listQuery(props.search, props.today) });
  const keyName = useKeyNames(useMemo(() => list.data?.pages.flatMap(({ data }) => data.map(({ key_id: key }) => key)) ?? [], [list.data]));
  return <RequestList scope="own" list={list} keyName={keyName} snippets={<ButtonLink to="/models" variant="default">{usage.records.snippets}</ButtonLink>} {...props} />;
}

function recordOf(requestId: string) {
  return <OwnRecord requestId={requestId} />;
}
