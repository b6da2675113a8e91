import { z } from 'zod';
import { DEFAULT_REQUEST_LIMITS, MAX_REQUEST_LIMITS } from '@tollgate/core';
import { variable } from './variable.js';
import { ALL_REASONING_STYLES, SERVER_KINDS } from './server-kinds.js';
import { httpAddress, seconds, wholeNumber } from './variable-schemas.js';

export const UPSTREAM_VARIABLES = {
  CATALOG_FILE: variable(z.string(), {
    default: null, unit: null,
    meaning: 'The catalogue of models, upstreams and plans, in YAML. Without it the built-in sandbox models are served, or those of UPSTREAM_BASE_URL.',
  }),
  CATALOG_RELOAD_SECONDS: variable(seconds(0, 3_600), {
    default: '2', unit: 'seconds', meaning: 'How often the gateway checks the catalogue file for changes. 0 disables the check.',
  }),
  UPSTREAM_BASE_URL: variable(httpAddress, {
    default: null, unit: null,
    meaning: 'A model server, with its version path: http://127.0.0.1:8000/v1. Its models are served under their own names. Has no effect with CATALOG_FILE.',
  }),
  UPSTREAM_KIND: variable(z.enum(SERVER_KINDS, { error: `must be one of ${SERVER_KINDS.join(', ')}` }), {
    default: 'openai', unit: null,
    meaning: 'Wire format of the server at UPSTREAM_BASE_URL: openai is chat completions, anthropic the messages format, responses the responses format.',
  }),
  UPSTREAM_REASONING_STYLE: variable(z.enum(ALL_REASONING_STYLES, { error: `must be one of ${[...new Set(ALL_REASONING_STYLES)].join(', ')}` }), {
    default: 'off-only', unit: null,
    meaning: 'How the gateway controls the reasoning of that server, as reasoning_style of a catalogue: effort, thinking or chat-template with openai, budget or adaptive with anthropic, effort with responses, none with all. off-only forwards only that reasoning is off.',
  }),
  UPSTREAM_API_KEY: variable(z.string().regex(/^[\x21-\x7e]+$/, 'must be printable characters without spaces'), {
    default: null, unit: null, meaning: 'The key for UPSTREAM_BASE_URL.',
  }),
  MAX_MESSAGES: variable(wholeNumber(DEFAULT_REQUEST_LIMITS.messages, MAX_REQUEST_LIMITS.messages), { default: String(DEFAULT_REQUEST_LIMITS.messages), unit: 'messages', meaning: 'The most messages that a request may have, from 200 to 10,000. Coding agents exceed 200 in longer tasks. The responses format allows 2,000 items, or as many as this if it is more. Has no effect with CATALOG_FILE, whose request_limits apply.' }),
  MAX_TOOLS: variable(wholeNumber(DEFAULT_REQUEST_LIMITS.tools, MAX_REQUEST_LIMITS.tools), { default: String(DEFAULT_REQUEST_LIMITS.tools), unit: 'tools', meaning: 'The most tools that a request may offer the model, from 128 to 1,024. Has no effect with CATALOG_FILE, whose request_limits apply.' }),
  UPSTREAM_CONNECT_TIMEOUT_SECONDS: variable(seconds(0.001, 600), { default: '5', unit: 'seconds', meaning: 'Time-out of connecting to an upstream.' }),
  UPSTREAM_FIRST_BYTE_TIMEOUT_SECONDS: variable(seconds(0.001, 3_600), {
    default: '60', unit: 'seconds', meaning: 'Time-out of the first byte of an upstream response.',
  }),
  UPSTREAM_SILENCE_TIMEOUT_SECONDS: variable(seconds(0.001, 3_600), {
    default: '60', unit: 'seconds', meaning: 'Time-out between two pieces of an upstream response. After the first output, the upstream must send at least 16 bytes of output in this time.',
  }),
  FIRST_OUTPUT_TIMEOUT_SECONDS: variable(seconds(0.001, 86_400), { default: '300', unit: 'seconds', meaning: 'Time-out of the first output of an upstream response that sends only comments and empty events. Counted from its headers.' }),
  EARLY_HEADERS_SECONDS: variable(seconds(0, 86_400), { default: '15', unit: 'seconds', meaning: 'How long the gateway holds back the headers of a stream until its first output, after the upstream has accepted the request; three times as long while a fallback remains. Then it sends them with keep-alives, and no fallback can serve the request. 0 waits without limit.' }),
  GENERATION_TIMEOUT_SECONDS: variable(seconds(0.001, 86_400), { default: '900', unit: 'seconds', meaning: 'Maximum duration of one generation. After its first output, a generation then ends as if the model had reached its maximum output; before it, a fallback serves.' }),
} as const;
