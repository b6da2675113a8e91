import { Badge } from '@mantine/core';
import { webhooks as texts } from '#texts/webhooks';
import { Instant } from '../../components/instant';
import { stateOf, type Webhook, type WebhookState as State } from './webhook';
import classes from './webhooks.module.css';

const COLORS: Readonly<Record<State, string>> = { delivering: 'green', failing: 'yellow', requested: 'gray', stopped: 'red', gone: 'red' };

/** The state in words: "Failing since 12:03". */
export function WebhookState({ webhook }: { readonly webhook: Pick<Webhook, 'status' | 'disabled_reason' | 'failing_since'> }) {
  const state = stateOf(webhook);
  return <Badge className={classes['badge'] ?? ''} color={COLORS[state]}>{texts.states[state]}{state === 'failing' && webhook.failing_since !== null && <> <Instant at={webhook.failing_since} /></>}</Badge>;
}
