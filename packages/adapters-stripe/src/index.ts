export { openStripe, type StripeSettings } from './open-stripe.js';
export { sendTestNotification, type TestNotificationOutcome } from './send-test-notification.js';
export { NOTIFIED_EVENTS } from './notified-references.js';
export { stripeAmountOrNull } from './stripe-amount.js';
export { inspectStripeAccount, type StripeAccountReport } from './inspect-stripe-account.js';
