import type { Clock } from '@tollgate/core';
import { HttpProvider } from '../http/http-provider.js';
import { UpstreamConnection } from '../http/upstream-connection.js';
import type { ProviderPorts, UpstreamProvider } from '../routing/upstream-provider.js';
import { type AnthropicOptions, type AnthropicUpstream, DEFAULT_ANTHROPIC_OPTIONS } from '../upstream-definition.js';
import { anthropicDialect } from './anthropic-dialect.js';

/** The only version of the format there is. */
const FORMAT_VERSION = '2023-06-01';
const VERSION_PATH = '/v1';

/** Generates with a server that speaks the messages format. */
export function anthropicProvider(definition: AnthropicUpstream, { clock, ids, reasoningRefusals }: ProviderPorts): UpstreamProvider {
  const dialect = anthropicDialect(optionsOf(definition), ids);
  return new HttpProvider({ connection: anthropicConnection(definition, clock), dialect, reasoningRefusals });
}

/** The connections to such a server. */
export function anthropicConnection(definition: AnthropicUpstream, clock: Clock): UpstreamConnection {
  const options = optionsOf(definition);
  const headers = { 'anthropic-version': FORMAT_VERSION, ...credentials(definition.apiKey, options) };
  return new UpstreamConnection({ baseUrl: versioned(definition.baseUrl), headers, options }, clock);
}

function optionsOf({ options }: AnthropicUpstream): AnthropicOptions {
  return { ...DEFAULT_ANTHROPIC_OPTIONS, ...options };
}

function credentials(apiKey: string | null, { authentication }: AnthropicOptions): Readonly<Record<string, string>> {
  if (apiKey === null) return {};
  return authentication === 'bearer' ? { authorization: `Bearer ${apiKey}` } : { 'x-api-key': apiKey };
}

/** Clients of the format are told the address without its version, so both ways of writing it are found in the field. */
function versioned(baseUrl: string): string {
  const url = new URL(baseUrl);
  const path = url.pathname.replace(/\/$/, '');
  url.pathname = path.endsWith(VERSION_PATH) ? path : `${path}${VERSION_PATH}`;
  return url.href;
}
