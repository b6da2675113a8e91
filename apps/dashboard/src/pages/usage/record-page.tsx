import { useParams } from '@tanstack/react-router';
import { usage } from '#texts/usage';
import { ButtonLink } from '../../components/link';
import { Page } from '../../components/page';
import { OwnRecord } from './own-record';

export function RecordPage() {
  const { requestId } = useParams({ from: '/shell/usage/$requestId' });
  return (
    <Page title={usage.record.title} action={<ButtonLink to="/usage" variant="default">{usage.record.toUsage}</ButtonLink>}>
      <OwnRecord requestId={requestId} />
    </Page>
  );
}
