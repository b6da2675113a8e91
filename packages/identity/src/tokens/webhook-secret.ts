/** Prefix of secrets as Standard Webhooks defines it; the rest is Base64. */
export const WEBHOOK_SECRET_PREFIX = 'whsec_';
/** Characters after the prefix: 238 bits. */
export const WEBHOOK_SECRET_RANDOM_LENGTH = 40;
