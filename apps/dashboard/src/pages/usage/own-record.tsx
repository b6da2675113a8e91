import { useRoute } from '../../api/use-route';
import { useKeyNames } from './names';
import { RecordView } from './record-view';

export function OwnRecord({ requestId }: { readonly requestId: string }) {
  const query = useRoute('readUsage', { params: { request_id: requestId } });
  const keyName = useKeyNames([query.data?.key_id]);
  return <RecordView scope="own" query={query} keyName={keyName} />;
}
