/** Routes and pages of an owner's webhooks. */
export const OWNER_SIDE = {
  whose: 'owner', list: 'listWebhooks', create: 'createWebhook', read: 'readWebhook', change: 'changeWebhook', remove: 'deleteWebhook', rotate: 'rotateWebhook', test: 'testWebhook',
  deliveries: 'listWebhookDeliveries', resend: 'resendWebhook', page: '/webhooks', onePage: '/webhooks/$id',
} as const;

/** Routes and pages of the operators' webhooks. */
export const OPERATOR_SIDE = {
  whose: 'operators', list: 'listOperatorWebhooks', create: 'createOperatorWebhook', read: 'readOperatorWebhook', change: 'changeOperatorWebhook', remove: 'deleteOperatorWebhook',
  rotate: 'rotateOperatorWebhook', test: 'testOperatorWebhook', deliveries: 'listOperatorWebhookDeliveries', resend: 'resendOperatorWebhook', page: '/operator/webhooks',
  onePage: '/operator/webhooks/$id',
} as const;

export type Side = typeof OWNER_SIDE | typeof OPERATOR_SIDE;
