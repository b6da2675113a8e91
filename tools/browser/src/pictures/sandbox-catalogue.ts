export interface SandboxModel {
  readonly id: string;
  readonly displayName: string;
  readonly description: string;
}

const PRICES = { prompt: '500', cached_prompt: '50', output: '1500' };

/** Contents of a catalogue file that has these models of the sandbox, all at one price. */
export function sandboxCatalogue(models: readonly SandboxModel[]): object {
  const entries = models.map(({ id, displayName, description }, index) => [id, {
    display_name: displayName, description, context_window: '128000', max_output_tokens: '8192', reasoning: index % 2 === 0 ? 'true' : 'false', price: PRICES, targets: [{ upstream: 'sandbox', model: 'sandbox-small' }],
  }] as const);
  return { usd_per_service_token: '0.001', minimum_reservation: '1', upstreams: { sandbox: { kind: 'sandbox' } }, models: Object.fromEntries(entries) };
}
