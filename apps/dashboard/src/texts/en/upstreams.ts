import { counted } from '../../format/count';

/** Upstreams: the model servers, and how each model goes there. */
export const upstreams = {
  title: 'Upstreams',
  help: 'As this gateway has seen them since its start.',
  empty: 'No upstream configured; sandbox models are served.',
  emptyHelp: 'The catalogue names the servers that models come from. Change it, and restart the gateway.',
  kinds: { openai: 'OpenAI-compatible', anthropic: 'Anthropic-compatible', sandbox: 'Simulated' } as Readonly<Record<string, string>>,
  builtIn: 'Built in',
  test: 'Send test request',
  testLabel: (id: string) => `Send test request to ${id}`,
  testing: 'One word is sent for one token of reply. No account pays for it.',
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
  noModels: 'No model of the catalogue comes from it.',
  failed: (count: number) => counted(count, 'failure'),
} as const;
