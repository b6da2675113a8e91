/** The plan whose limits no load of the bench comes near. */
export const BENCH_PLAN = 'bench';

export interface BenchModels {
  readonly upstreamPort: number;
  /** Each served under its own name. */
  readonly models: readonly string[];
}

function modelEntry(model: string): string {
  return `  ${model}:
    context_window: 4_000_000
    max_output_tokens: 4_096
    price: { prompt: 400, cached_prompt: 40, output: 1200 }
    targets: [{ upstream: bench, model: ${model} }]
`;
}

/** A catalogue that serves the bench's models with prices and limits like any other, only that the limits are out of reach. */
export function benchCatalogue({ upstreamPort, models }: BenchModels): string {
  return `usd_per_service_token: 0.001
upstreams:
  bench:
    kind: openai
    base_url: http://127.0.0.1:${upstreamPort}/v1
    max_connections: none
models:
${models.map(modelEntry).join('')}plans:
  ${BENCH_PLAN}:
    name: Bench
    requests_per_minute: 100_000_000
    tokens_per_minute: 100_000_000_000
    concurrent_requests: 100_000
    max_context_tokens: 4_000_000
    active_keys: 1000
    tokens_per_day: 100_000_000_000
    tokens_per_month: 100_000_000_000
`;
}
