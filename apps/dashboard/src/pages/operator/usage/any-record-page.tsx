import { useParams } from '@tanstack/react-router';
import { usage } from '#texts/usage';
import { Card } from '../../../components/card';
import { ButtonLink } from '../../../components/link';
import { Page } from '../../../components/page';
import { RecordLevel } from '../../usage/record-title';
import { AnyRecord } from './any-record';

export function AnyRecordPage() {
  const { requestId } = useParams({ from: '/shell/operator/usage/$requestId' });
  return (
    <Page title={usage.record.title} action={<ButtonLink to="/operator/usage" variant="default">{usage.record.toUsage}</ButtonLink>}>
      <Card label={usage.record.title}><RecordLevel value={2}><AnyRecord requestId={requestId} /></RecordLevel></Card>
    </Page>
  );
}
