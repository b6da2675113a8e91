import { useRoute } from '../../api/use-route';
import { useKeyNames } from './names';
import { RecordView } from './record-view';

/** A request of the owner's account, with its charge explained. */
export function OwnRecord({ requestId }: { readonly requestId: string }) {
  const query = useRoute('readUsage', { params: { request_id: requestId } });
  const { keyName } = useKeyNames();
  return <RecordView scope="own" query={query} keyName={keyName} />;
}
