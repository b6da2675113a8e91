import { useRoute } from '../../../api/use-route';
import { shortId } from '../../../format/id';
import { RecordView } from '../../usage/record-view';

/** A request of any account, with its charge explained. */
export function AnyRecord({ requestId }: { readonly requestId: string }) {
  const query = useRoute('readAnyUsage', { params: { request_id: requestId } });
  return <RecordView scope="all" query={query} keyName={shortId} />;
}
