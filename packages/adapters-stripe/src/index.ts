export { openStripe, type StripeSettings } from './open-stripe.js';
export { inspectStripeAccount, type StripeAccountReport } from './inspect-stripe-account.js';
