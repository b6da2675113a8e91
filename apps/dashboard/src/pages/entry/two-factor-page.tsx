import { getRouteApi } from '@tanstack/react-router';
import { entry } from '#texts/entry';
import { useRoute } from '../../api/use-route';
import { Loading } from '../../components/part';
import { Failure } from '../../components/failure';
import { Page } from '../../components/page';
import { EnrolFactor } from './enrol-factor';
import { Onward } from './onward';
import { OperatorLink } from './operator-link';
import { ProveFactor } from './prove-factor';

const route = getRouteApi('/entry/two-factor');
const PART_HEIGHT = 200;

export function TwoFactorPage() {
  const { to } = route.useSearch();
  const session = useRoute('currentSession', {});
  if (session.data === undefined) {
    return <Page title={entry.twoFactor.proveTitle}>{session.isError ? <Failure error={session.error} onRetry={() => void session.refetch()} /> : <Loading height={PART_HEIGHT} />}</Page>;
  }
  switch (session.data.reach) {
    case 'full': return <Onward to={to} />;
    case 'prove-factor': return <ProveFactor factors={session.data.factors} to={to} />;
    case 'enrol-factor': return <EnrolFactor to={to} />;
    case 'operator-link': return <OperatorLink />;
  }
}
