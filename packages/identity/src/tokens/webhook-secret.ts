/** As Standard Webhooks writes secrets: the rest is Base64. */
export const WEBHOOK_SECRET_PREFIX = 'whsec_';
/** 238 bits. */
export const WEBHOOK_SECRET_RANDOM_LENGTH = 40;
