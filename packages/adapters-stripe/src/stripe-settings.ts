export interface StripeSettings {
  /** `sk_…` or `rk_…`. */
  readonly secretKey: string;
  /** Signing secrets of the endpoint, `whsec_…`. Two during a rotation. Without one, all notifications are refused. */
  readonly webhookSecrets: readonly string[];
  /** Another server, for tests; `null` for Stripe's own. */
  readonly apiBase: string | null;
  /** True if Stripe calculates the tax contained in the price, which requires Stripe Tax. */
  readonly automaticTax: boolean;
}
