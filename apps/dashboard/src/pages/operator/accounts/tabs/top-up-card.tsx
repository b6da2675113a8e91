import { automaticTopUp as texts } from '#texts/automatic-top-up';
import type { Reply } from '../../../../api/call';
import { useRoute } from '../../../../api/use-route';
import { Card } from '../../../../components/card';
import { Instant } from '../../../../components/instant';
import { TextLink } from '../../../../components/link';
import { Part } from '../../../../components/part';
import { TopUpFacts } from '../../../../components/top-up-facts';

const HEIGHT = 96;

function LastCharge({ payment }: { readonly payment: Reply<'readAutomaticTopUpOfAccount'>['last_charge'] }) {
  return payment === null ? null : <TextLink to="/operator/payments/$id" params={{ id: payment.id }}><Instant at={payment.created_at} /></TextLink>;
}

export function TopUpCard({ accountId }: { readonly accountId: string }) {
  const query = useRoute('readAutomaticTopUpOfAccount', { params: { id: accountId } });
  return (
    <Card title={texts.title}>
      <Part query={query} height={HEIGHT}>
        {(topUp) => (topUp.settings === null
          ? <span className="muted">{texts.never}</span>
          : <TopUpFacts topUp={topUp} lastCharge={<LastCharge payment={topUp.last_charge} />} />)}
      </Part>
    </Card>
  );
}
