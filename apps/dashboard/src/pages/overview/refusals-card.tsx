import { overview as texts } from '#texts/overview';
import { refusals } from '#texts/refusals';
import type { Reply } from '../../api/call';
import { Card } from '../../components/card';
import { TextLink } from '../../components/link';
import type { RefusalCause } from '../../components/refusal-cause';
import { RefusalReasons } from '../../components/refusal-reasons';
import { shortInstant } from '../../format/instant';

/** Link to what owners can change themselves; `null` for causes that they cannot remedy. */
function actOf(cause: RefusalCause) {
  switch (cause) {
    case 'balance': return <TextLink to="/billing">{refusals.balance}</TextLink>;
    case 'keys': return <TextLink to="/keys">{refusals.keys}</TextLink>;
    case 'limits': case 'plan': return <TextLink to="/account" search={{ tab: 'plan' }}>{refusals.limits}</TextLink>;
    case 'models': return <TextLink to="/models">{refusals.models}</TextLink>;
    case 'address': case 'standing': case 'blocks': case 'upstreams': case 'maintenance': return null;
  }
}

/** Counts of refused requests, without links: refused requests have no records. */
export function RefusalsCard({ refusals: { since, counts } }: { readonly refusals: Reply<'overview'>['refusals'] }) {
  if (counts.length === 0) return null;
  return (
    <Card title={texts.refused}>
      <RefusalReasons counts={counts} renderAct={actOf} />
      <p className="muted">{texts.refusedSince(shortInstant(since))}</p>
    </Card>
  );
}
