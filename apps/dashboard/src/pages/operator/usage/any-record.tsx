import { useRoute } from '../../../api/use-route';
import { useKeyNames } from '../../usage/names';
import { RecordView } from '../../usage/record-view';

export function AnyRecord({ requestId }: { readonly requestId: string }) {
  const query = useRoute('readAnyUsage', { params: { request_id: requestId } });
  const keyName = useKeyNames([query.data?.key_id], 'all');
  return <RecordView scope="all" query={query} keyName={keyName} />;
}
