import type { WebhookQueue, WebhookRecords } from '@tollgate/identity';

/** For stores without webhooks: no webhook is found, and `create` is refused. */
export const NO_WEBHOOKS: WebhookRecords = {
  create: () => Promise.resolve('too-many'), list: () => Promise.resolve([]), find: () => Promise.resolve(null), change: () => Promise.resolve(null), rotate: () => Promise.resolve(null),
  delete: () => Promise.resolve(false), test: () => Promise.resolve(null), resend: () => Promise.resolve('no-such-webhook'), deliveries: () => Promise.resolve(null),
};

/** For stores without webhooks: no delivery is due. */
export const NO_DELIVERIES: WebhookQueue = {
  spread: () => Promise.resolve(0), claim: () => Promise.resolve(null), due: () => Promise.resolve([]), record: () => Promise.resolve(),
  finish: () => Promise.resolve(), reseal: () => Promise.resolve(), disable: () => Promise.resolve(false), prune: () => Promise.resolve(0),
};
