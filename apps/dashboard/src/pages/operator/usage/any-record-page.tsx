import { useParams } from '@tanstack/react-router';
import { usage } from '#texts/usage';
import { ButtonLink } from '../../../components/link';
import { Page } from '../../../components/page';
import { AnyRecord } from './any-record';

export function AnyRecordPage() {
  const { requestId } = useParams({ from: '/shell/operator/usage/$requestId' });
  return (
    <Page title={usage.record.title} action={<ButtonLink to="/operator/usage" variant="default">{usage.record.toUsage}</ButtonLink>}>
      <AnyRecord requestId={requestId} />
    </Page>
  );
}
