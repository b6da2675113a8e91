import { type ErrorCode, GatewayError } from '../errors/gateway-error.js';
import type { Admission, LimitName } from './admission.js';

interface Refusal {
  readonly code: ErrorCode;
  /** What there are too many of, by a plan's limit and by an incident limit of one model. */
  readonly plan: string;
  readonly incident: string;
}

const REFUSALS: Readonly<Record<LimitName, Refusal>> = {
  'requests-per-minute': { code: 'rate_limit_exceeded', plan: 'Too many requests per minute for your plan.', incident: 'too many requests per minute to it.' },
  'tokens-per-minute': { code: 'tokens_per_minute_exceeded', plan: 'Too many tokens per minute for your plan.', incident: 'too many tokens per minute to it.' },
  'concurrent-requests': {
    code: 'concurrency_limit_exceeded', plan: 'Too many requests at the same time for your plan.', incident: 'too many requests to it at the same time.',
  },
  'tokens-per-day': { code: 'daily_limit_exceeded', plan: 'The daily token cap of your plan is reached.', incident: 'its daily token cap is reached.' },
  'tokens-per-month': { code: 'monthly_limit_exceeded', plan: 'The monthly token cap of your plan is reached.', incident: 'its monthly token cap is reached.' },
};

/** The error a refused admission becomes; its message says whether the plan's limit refused or the model's. */
export function limitRefusal(admission: Extract<Admission, { admitted: false }>): GatewayError {
  const { limit, incidentModel, neverFits, retryAfterSeconds, quota } = admission;
  const { code, plan, incident } = REFUSALS[limit];
  const message = incidentModel === null ? plan : `The model ${incidentModel} is limited for now: ${incident}`;
  const end = incidentModel === null ? 'can never fit' : 'cannot fit while it is in force';
  const text = neverFits ? `${message} This request is larger than the whole limit and ${end}.` : message;
  return new GatewayError(code, text, { retryAfterSeconds, isPermanent: neverFits, quota });
}
