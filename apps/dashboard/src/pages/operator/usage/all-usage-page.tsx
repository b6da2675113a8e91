import { Navigate, useNavigate, useSearch } from '@tanstack/react-router';
import { addressOf } from '../../../api/call';
import { useRoute, useRouteList } from '../../../api/use-route';
import { useNarrow } from '../../../components/use-narrow';
import { useUtcDay } from '../../../components/use-utc-day';
import { useModelChoices } from '../../models/model-names';
import { useKeyNames } from '../../usage/names';
import { LIST_UP_TO, RequestList, type RequestListProps } from '../../usage/request-list';
import { keysIn } from '../../usage/usage-rows';
import { UsageScreen } from '../../usage/usage-screen';
import { beforeQuery, exportQuery, isCompared, listQuery, sumGap, summaryQuery, type UsageSearch } from '../../usage/usage-search';
import { AnyRecord } from './any-record';

export function AllUsagePage() {
  const search: UsageSearch = useSearch({ from: '/shell/operator/usage' });
  const navigate = useNavigate();
  const narrow = useNarrow(LIST_UP_TO);
  const today = useUtcDay();
  const models = useModelChoices();
  const sums = useRoute('allUsageSummary', { query: { ...summaryQuery(search, { today, scope: 'all' }), account: search.account } }, { enabled: sumGap(search, { today, scope: 'all' }) === null });
  const keyName = useKeyNames([...keysIn(sums.data), search.key_id], 'all');
  const before = useRoute('allUsageSummary', { query: { ...beforeQuery(search, today), account: search.account } }, { enabled: isCompared(search, { today, scope: 'all' }) });
  const go = (next: UsageSearch) => void navigate({ to: '/operator/usage', search: next });
  const open = (requestId: string | undefined) => void (narrow && requestId !== undefined
    ? navigate({ to: '/operator/usage/$requestId', params: { requestId } })
    : navigate({ to: '/operator/usage', search: { ...search, record: requestId === search.record ? undefined : requestId } as UsageSearch, replace: true, resetScroll: false }));
  if (narrow && search.record !== undefined) return <Navigate to="/operator/usage/$requestId" params={{ requestId: search.record }} replace />;
  return (
    <UsageScreen
      scope="all" before={before.data?.total} {...{ search, today, sums, models, keyName, go }} requests={<AllRequests {...{ search, today, go }} keyName={keyName} onOpen={open} record={recordOf} />}
      exportAddress={(format) => addressOf('exportAllUsage', { query: { ...exportQuery(search, today), account: search.account, format } })}
    />
  );
}

/** A separate component, so that further pages of the list do not render the chart again. */
function AllRequests(props: Omit<RequestListProps, 'scope' | 'list'>) {
  const list = useRouteList('listAllUsage', { query: { ...listQuery(props.search, props.today), account: props.search.account } });
  return <RequestList scope="all" list={list} {...props} />;
}

function recordOf(requestId: string) {
  return <AnyRecord requestId={requestId} />;
}
