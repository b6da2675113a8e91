import { billing as texts } from '#texts/billing';
import { useRoute } from '../../../../api/use-route';
import { Card } from '../../../../components/card';
import { CreditsLeft } from '../../../../components/credits-left';
import { Part } from '../../../../components/part';

const HEIGHT = 96;

export function CreditsCard({ accountId }: { readonly accountId: string }) {
  const query = useRoute('listCreditsOfAccount', { params: { id: accountId } });
  return <Card title={texts.credits.title}><Part query={query} height={HEIGHT}>{(credits) => <CreditsLeft credits={credits} isOperators />}</Part></Card>;
}
