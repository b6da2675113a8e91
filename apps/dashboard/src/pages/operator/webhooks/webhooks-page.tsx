import { useParams } from '@tanstack/react-router';
import { OneWebhook } from '../../webhooks/one-webhook';
import { OPERATOR_SIDE } from '../../webhooks/side';
import { WebhookList } from '../../webhooks/webhooks-page';

export function OperatorWebhooksPage() {
  return <WebhookList side={OPERATOR_SIDE} />;
}

/** Keyed by id, so that another webhook's title takes the focus. */
export function OperatorWebhookPage() {
  const { id } = useParams({ from: '/shell/operator/webhooks/$id' });
  return <OneWebhook key={id} id={id} side={OPERATOR_SIDE} />;
}
