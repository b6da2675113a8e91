import { saidByUpstream, UpstreamFailure, type UpstreamFailureReason } from '@tollgate/adapters-upstream';
import type { Logger } from 'pino';

/** The server that is asked for its models. */
export interface DiscoveryTarget {
  readonly baseUrl: string;
  readonly apiKey: string | null;
}

const ADVICE: Partial<Record<UpstreamFailureReason, string>> = {
  'bad-credentials': ' Check UPSTREAM_API_KEY.',
  'model-unknown': ' Check UPSTREAM_BASE_URL and its path.',
};

/** Without a query, which may hold a secret. */
function addressOf({ baseUrl }: DiscoveryTarget): string {
  const { origin, pathname } = new URL(baseUrl);
  return `${origin}${pathname}`;
}

function problemOf(failure: unknown, { apiKey }: DiscoveryTarget): string {
  if (!(failure instanceof UpstreamFailure)) return failure instanceof Error ? failure.message : String(failure);
  const said = saidByUpstream(failure, apiKey === null ? [] : [apiKey]);
  return `${failure.message}${said === null ? '' : ` (${said})`}.${ADVICE[failure.reason] ?? ''}`;
}

/** Says in one line why an upstream does not list its models, and again when the cause changes. */
export class DiscoveryLog {
  #problem: string | null = null;

  constructor(private readonly log: Logger, private readonly target: DiscoveryTarget) {}

  /** `knownModels` are served on meanwhile. */
  failed(failure: unknown, knownModels: number): void {
    this.tell(problemOf(failure, this.target), knownModels);
  }

  listed(models: number, knownModels: number): void {
    if (models === 0) this.tell('its list of models is empty.', knownModels);
    else if (this.#problem !== null) this.log.info(`the upstream at ${addressOf(this.target)} lists its models again`);
    if (models > 0) this.#problem = null;
  }

  private tell(problem: string, knownModels: number): void {
    if (problem === this.#problem) return;
    this.#problem = problem;
    const meanwhile = knownModels === 0 ? 'No model can be served until it does' : `Its ${knownModels} known models are served on`;
    this.log.warn(`the upstream at ${addressOf(this.target)} does not list its models: ${problem} ${meanwhile}; it is asked again.`);
  }
}
