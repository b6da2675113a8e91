/** What a person checks or changes so that requests refused with a certain code are served again. */
export type RefusalCause = 'balance' | 'keys' | 'limits' | 'plan' | 'models' | 'address' | 'standing' | 'blocks' | 'upstreams' | 'maintenance';

const CAUSES: Readonly<Record<string, RefusalCause>> = {
  insufficient_balance: 'balance',
  api_key_limit_exceeded: 'keys', api_key_blocked: 'keys', model_not_in_key: 'keys',
  rate_limit_exceeded: 'limits', tokens_per_minute_exceeded: 'limits', concurrency_limit_exceeded: 'limits', daily_limit_exceeded: 'limits', monthly_limit_exceeded: 'limits', context_length_exceeded: 'limits',
  model_not_in_plan: 'plan', model_not_found: 'models', email_not_verified: 'address', account_inactive: 'standing', account_blocked: 'blocks', ip_blocked: 'blocks', provider_unavailable: 'upstreams', maintenance_mode: 'maintenance',
};

/** `null` for a code whose cause is an error in the request or in the gateway, and for an unknown code. */
export function causeOf(code: string): RefusalCause | null {
  return CAUSES[code] ?? null;
}
