import { type ErrorCode, GatewayError } from '../errors/gateway-error.js';
import type { Admission, LimitName } from './admission.js';

const REFUSALS: Readonly<Record<LimitName, { readonly code: ErrorCode; readonly message: string }>> = {
  'requests-per-minute': { code: 'rate_limit_exceeded', message: 'Too many requests per minute for your plan.' },
  'tokens-per-minute': { code: 'tokens_per_minute_exceeded', message: 'Too many tokens per minute for your plan.' },
  'concurrent-requests': { code: 'concurrency_limit_exceeded', message: 'Too many requests at the same time for your plan.' },
  'tokens-per-day': { code: 'daily_limit_exceeded', message: 'The daily token cap of your plan is reached.' },
  'tokens-per-month': { code: 'monthly_limit_exceeded', message: 'The monthly token cap of your plan is reached.' },
};

/** The error a refused admission becomes. */
export function limitRefusal(admission: Extract<Admission, { admitted: false }>): GatewayError {
  const { code, message } = REFUSALS[admission.limit];
  const text = admission.neverFits ? `${message} This request is larger than the whole limit and can never fit.` : message;
  return new GatewayError(code, text, { retryAfterSeconds: admission.retryAfterSeconds, isPermanent: admission.neverFits, quota: admission.quota });
}
