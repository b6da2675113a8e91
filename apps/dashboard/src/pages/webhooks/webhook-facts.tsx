import { webhooks as texts } from '#texts/webhooks';
import { Card } from '../../components/card';
import { CopyId } from '../../components/copy-id';
import { Instant } from '../../components/instant';
import { overlapUntil, type Webhook } from './webhook';
import { WebhookState } from './webhook-state';
import facts from '../../components/facts.module.css';

const { detail } = texts;

export function WebhookFacts({ webhook }: { readonly webhook: Webhook }) {
  const { id, url, types, description, created_at: createdAt, disabled_at: disabledAt } = webhook;
  const until = overlapUntil(webhook);
  return (
    <Card title={detail.facts}>
      <dl className={facts['facts']}>
        <dt>{detail.url}</dt><dd className="mono">{url}</dd>
        <dt>{detail.state}</dt><dd><WebhookState webhook={webhook} />{disabledAt !== null && <> {detail.since} <Instant at={disabledAt} /></>}</dd>
        <dt>{detail.events}</dt><dd>{types === null ? texts.allTypes : types.map((type) => <div key={type}>{texts.events[type]}</div>)}</dd>
        {description !== '' && <><dt>{detail.note}</dt><dd>{description}</dd></>}
        <dt>{detail.id}</dt><dd><CopyId id={id} /></dd>
        <dt>{detail.created}</dt><dd><Instant at={createdAt} /></dd>
        {until !== null && <><dt>{detail.oldSecret}</dt><dd><Instant at={until} /></dd></>}
      </dl>
    </Card>
  );
}
