import { useRoute } from '../../../api/use-route';
import { shortId } from '../../../format/id';
import { RecordView } from '../../usage/record-view';

export function AnyRecord({ requestId }: { readonly requestId: string }) {
  const query = useRoute('readAnyUsage', { params: { request_id: requestId } });
  return <RecordView scope="all" query={query} keyName={shortId} />;
}
