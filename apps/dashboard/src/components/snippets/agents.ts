import { brand } from '../../brand/brand';
import { shellWord } from './literal';
import { KEY_VARIABLE, type Snippet } from './request';

interface AgentInput {
  /** Address of the gateway, without `/v1`. */
  readonly baseUrl: string;
  readonly model: string;
  readonly codexModel: string;
  readonly contextWindow: number;
  readonly maxOutputTokens: number;
}

/** Configures Claude Code by environment variables. Claude Code writes titles and summaries with a second, small model. */
function claudeCode({ baseUrl, model }: AgentInput): string {
  return [
    `export ANTHROPIC_BASE_URL=${baseUrl}`,
    `export ANTHROPIC_AUTH_TOKEN="$${KEY_VARIABLE}"`,
    `export ANTHROPIC_MODEL=${shellWord(model)}`,
    `export ANTHROPIC_DEFAULT_HAIKU_MODEL=${shellWord(model)}`,
    'claude',
  ].join('\n');
}

function opencode({ baseUrl, model, contextWindow, maxOutputTokens }: AgentInput): string {
  const config = {
    $schema: 'https://opencode.ai/config.json',
    provider: {
      tollgate: {
        npm: '@ai-sdk/openai-compatible',
        name: brand.name,
        options: { baseURL: `${baseUrl}/v1`, apiKey: `{env:${KEY_VARIABLE}}` },
        models: { [model]: { name: model, limit: { context: contextWindow, output: maxOutputTokens } } },
      },
    },
    model: `tollgate/${model}`,
  };
  return JSON.stringify(config, null, 2);
}

function codex({ baseUrl, codexModel }: AgentInput): string {
  return [
    `model = ${JSON.stringify(codexModel)}`,
    'model_provider = "tollgate"',
    '',
    '[model_providers.tollgate]',
    `name = ${JSON.stringify(brand.name)}`,
    `base_url = "${baseUrl}/v1"`,
    `env_key = "${KEY_VARIABLE}"`,
    'wire_api = "responses"',
  ].join('\n');
}

export function agentSnippets(input: AgentInput): readonly Snippet[] {
  return [
    { id: 'claude-code', title: 'Claude Code', code: claudeCode(input), install: 'npm install -g @anthropic-ai/claude-code', file: null },
    { id: 'codex', title: 'Codex', code: codex(input), install: 'npm install -g @openai/codex', file: '~/.codex/config.toml' },
    { id: 'opencode', title: 'opencode', code: opencode(input), install: 'npm install -g opencode-ai', file: 'opencode.json' },
  ];
}
