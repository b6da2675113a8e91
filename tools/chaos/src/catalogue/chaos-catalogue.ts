export const CHAOS_MODEL = 'chaos';
export const CHAOS_PLAN = 'chaos';
/** Concurrency limit of an account: enough for its clients, and for slots of dead gateways until their leases end. */
export const CHAOS_SLOTS = 48;

/** A catalogue with one model and one plan. Requests reach none of the plan's limits except concurrency. */
export function chaosCatalogue(upstreamPort: number): string {
  return `usd_per_service_token: 0.001
upstreams:
  chaos:
    kind: openai
    base_url: http://127.0.0.1:${upstreamPort}/v1
models:
  ${CHAOS_MODEL}:
    context_window: 32_000
    max_output_tokens: 4_096
    price: { prompt: 400, cached_prompt: 40, output: 1200 }
    targets: [{ upstream: chaos, model: chaos }]
plans:
  ${CHAOS_PLAN}:
    name: Chaos
    requests_per_minute: 100_000_000
    tokens_per_minute: 100_000_000_000
    concurrent_requests: ${CHAOS_SLOTS}
    max_context_tokens: 32_000
    active_keys: 10
    tokens_per_day: 100_000_000_000
    tokens_per_month: 100_000_000_000
`;
}
