import {
  type AccountId, type CompletedGeneration, type EncodeContext, type GenerationEvent, instant, type ReasoningSeal, type RequestId, type ToolDeclaration,
} from '@tollgate/core';
import { eventsOf } from '@tollgate/testkit';
import type { ResponsesEcho } from '../decode-request.js';
import { encodeResponse, type EncoderPorts } from '../encode-response.js';
import { ResponsesStreamEncoder } from '../stream-encoder.js';

/** The parameters of a request that says nothing. */
export const DEFAULT_PARAMETERS = {
  tool_choice: 'auto',
  parallel_tool_calls: true,
  temperature: 1,
  top_p: 1,
  text: { format: { type: 'text' }, verbosity: 'medium' },
  reasoning: { effort: null, summary: null },
  max_output_tokens: null,
  metadata: {},
  prompt_cache_key: null,
} as const;

export function aDeclaration(differences: Partial<ToolDeclaration> = {}): ToolDeclaration {
  return { kind: 'function', name: 'look', namespace: null, inputFormat: null, ...differences };
}

/** Of a request of `acct_alice` that says nothing, `store: false` excepted. */
export function anEcho(differences: Partial<ResponsesEcho> = {}): ResponsesEcho {
  return {
    accountId: 'acct_alice' as AccountId,
    declarations: new Map(),
    showsReasoning: true,
    parameters: DEFAULT_PARAMETERS,
    previousResponseId: null,
    inputItems: null,
    kept: false,
    ...differences,
  };
}

/** The context of reply `resp_1` to request `req_1`, made at Unix time 1,700,000,000. */
export function aContext(echo: Partial<ResponsesEcho> = {}): EncodeContext {
  return { responseId: 'resp_1', createdAt: instant(1_700_000_000_999), requestId: 'req_1' as RequestId, includeUsage: true, echo: anEcho(echo) };
}

/** Seals so that tests can read it: account and text, escaped. */
export const READABLE_SEAL: ReasoningSeal = {
  seal: (accountId, text) => `${accountId}.${encodeURIComponent(text)}`,
  open: (accountId, sealed) => (sealed.startsWith(`${accountId}.`) ? decodeURIComponent(sealed.slice(accountId.length + 1)) : null),
};

/** What `READABLE_SEAL` makes of reasoning of `acct_alice` by `upstream-model`. */
export function sealedReasoning(text: string, signature: string | null): string {
  return READABLE_SEAL.seal('acct_alice' as AccountId, JSON.stringify({ model: 'upstream-model', text, signature }));
}

/** It is Unix time 1,700,000,010. */
export const PORTS: EncoderPorts = { seal: READABLE_SEAL, clock: { now: () => instant(1_700_000_010_999) } };

/** Pieces as they arrive: word by word. */
export const byWord = (text: string) => text.split(/(?<= )/);

export function anEncoder(context: EncodeContext = aContext(), ports: EncoderPorts = PORTS): ResponsesStreamEncoder {
  return new ResponsesStreamEncoder(context, ports);
}

/** A whole stream. */
export function streamOf(generation: CompletedGeneration, context?: EncodeContext, ports?: EncoderPorts): string {
  return anEncoder(context, ports).encode(eventsOf(generation, byWord));
}

/** The events of a generation up to the end of its last block. */
export function eventsBeforeEnd(generation: CompletedGeneration): readonly GenerationEvent[] {
  return eventsOf(generation, byWord).slice(0, -1);
}

/** A whole reply, parsed. */
export function replyOf(generation: CompletedGeneration, context: EncodeContext = aContext(), ports: EncoderPorts = PORTS): Readonly<Record<string, unknown>> {
  return JSON.parse(encodeResponse(generation, context, ports)) as Readonly<Record<string, unknown>>;
}
