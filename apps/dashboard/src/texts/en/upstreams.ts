import { counted } from '../../format/count';

/** Upstreams: the model servers, and how each model goes there. */
export const upstreams = {
  title: 'Upstreams',
  help: 'Figures of this gateway since it started.',
  empty: 'No upstream configured; sandbox models are served.',
  emptyHelp: 'Add upstreams to the catalogue, then restart the gateway.',
  kinds: { openai: 'OpenAI-compatible', anthropic: 'Anthropic-compatible', sandbox: 'Simulated' } as Readonly<Record<string, string>>,
  builtIn: 'Built in',
  test: 'Send test request',
  testLabel: (id: string) => `Send test request to ${id}`,
  testing: 'Sending a one-word prompt for one output token. No account is charged.',
  answered: (model: string, took: string) => `${model} answered after ${took}.`,
  refused: (model: string, reason: string) => `${model} did not answer: ${reason}.`,
  model: 'Model',
  circuit: 'Circuit',
  answers: 'Answers',
  failures: 'Failures',
  firstToken: 'First token, p50 / p95',
  lastSuccess: 'Last success',
  lastFailure: 'Last failure',
  never: 'Never',
  noModels: 'No model in the catalogue uses this upstream.',
  failed: (count: number) => counted(count, 'failure'),
} as const;
