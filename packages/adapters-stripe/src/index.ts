export { openStripe, type StripeSettings } from './open-stripe.js';
export { sendTestNotification, type TestNotificationOutcome } from './send-test-notification.js';
export { stripeAmountOrNull } from './stripe-amount.js';
export { inspectStripeAccount, type StripeAccountReport } from './inspect-stripe-account.js';
