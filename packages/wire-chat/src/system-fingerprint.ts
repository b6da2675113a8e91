/** The same for every reply: the gateway has no back-end configuration that a client could compare. */
export const SYSTEM_FINGERPRINT = 'fp_tollgate';
