import { useParams } from '@tanstack/react-router';
import { OneWebhook } from './one-webhook';
import { OWNER_SIDE } from './side';

/** Keyed by id, so that another webhook's title takes the focus. */
export function WebhookPage() {
  const { id } = useParams({ from: '/shell/webhooks/$id' });
  return <OneWebhook key={id} id={id} side={OWNER_SIDE} />;
}
