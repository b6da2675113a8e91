import { useParams } from '@tanstack/react-router';
import { usage } from '#texts/usage';
import { Card } from '../../components/card';
import { ButtonLink } from '../../components/link';
import { Page } from '../../components/page';
import { OwnRecord } from './own-record';
import { RecordLevel } from './record-title';

export function RecordPage() {
  const { requestId } = useParams({ from: '/shell/usage/$requestId' });
  return (
    <Page title={usage.record.title} action={<ButtonLink to="/usage" variant="default">{usage.record.toUsage}</ButtonLink>}>
      <Card label={usage.record.title}><RecordLevel value={2}><OwnRecord requestId={requestId} /></RecordLevel></Card>
    </Page>
  );
}
