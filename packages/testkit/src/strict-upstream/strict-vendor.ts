import type { JsonObject } from '@tollgate/core';
import { type Behaviour, replies, wholeReply } from '../scripted-upstream/behaviours.js';
import { responsesReply } from '../scripted-upstream/responses-reply.js';
import { joined, type ScriptedReply } from '../scripted-upstream/scripted-reply.js';
import type { RecordedRequest } from '../scripted-upstream/scripted-upstream.js';
import { chatRules, signedCall, signedCallRules } from './chat-rules.js';
import { blocksBefore, messagesRules } from './messages-rules.js';
import { markOf, responsesRules } from './responses-rules.js';
import { objectOf, objectsOf, type Refusal, textOf, type VendorRules } from './vendor-rules.js';
import { VendorSeals } from './vendor-seals.js';

/** `signed-chat` is chat completions of a vendor that signs tool calls, as Google's endpoint does. */
export type VendorFormat = 'messages' | 'chat' | 'signed-chat' | 'responses';

interface Vendor {
  readonly rules: VendorRules;
  readonly errorBody: (refusal: Refusal) => JsonObject;
  /** True if the request asks for reasoning. */
  readonly reasons: (body: JsonObject) => boolean;
  readonly seal: (reply: ScriptedReply, seals: VendorSeals) => ScriptedReply;
}

function chatError({ message, param = null, code = null }: { readonly message: string; readonly param?: string | null; readonly code?: string | null }): JsonObject {
  return { error: { message, type: 'invalid_request_error', param, code } };
}

function sealedThinking(reply: ScriptedReply, seals: VendorSeals): ScriptedReply {
  const number = seals.nextReply();
  const { reasoning, laterReasoning, text } = reply;
  const count = (reasoning === undefined ? 0 : 1) + (laterReasoning === undefined ? 0 : 1);
  return {
    ...reply,
    ...(reasoning === undefined ? {} : { reasoningSignature: seals.seal(joined(reasoning), { reply: number, index: 0, count, neighbour: '' }) }),
    ...(laterReasoning === undefined ? {} : {
      laterReasoning: {
        ...laterReasoning, signature: seals.seal(joined(laterReasoning.text), { reply: number, index: count - 1, count, neighbour: text === undefined ? '' : blocksBefore(['text']) }),
      },
    }),
  };
}

/** Seals each piece of reasoning together with the item that follows it. */
function sealedItems(reply: ScriptedReply, seals: VendorSeals): ScriptedReply {
  const number = seals.nextReply();
  const items = objectsOf(responsesReply(reply, '')['output']);
  const sealAfter = (id: string): string => {
    const at = items.findIndex((item) => item['id'] === id);
    return seals.seal('', { reply: number, index: 0, count: 1, neighbour: markOf(items[at + 1]) });
  };
  return {
    ...reply, reasoningSignature: sealAfter('rs_1'),
    ...(reply.laterReasoning === undefined ? {} : { laterReasoning: { ...reply.laterReasoning, signature: sealAfter('rs_2') } }),
  };
}

function sealedCall(reply: ScriptedReply, seals: VendorSeals): ScriptedReply {
  const [first, ...others] = reply.toolCalls ?? [];
  if (first === undefined) return reply;
  const thought_signature = seals.seal(signedCall(first.id, first.name), { reply: seals.nextReply(), index: 0, count: 1, neighbour: '' });
  return { ...reply, toolCalls: [{ ...first, extraContent: { google: { thought_signature } } }, ...others] };
}

const CHAT: Vendor = { rules: chatRules, errorBody: chatError, reasons: ({ reasoning_effort: effort }) => effort !== 'none', seal: (reply) => reply };

const VENDORS: Readonly<Record<VendorFormat, Vendor>> = {
  'messages': {
    rules: messagesRules,
    errorBody: ({ message }) => ({ type: 'error', error: { type: 'invalid_request_error', message }, request_id: 'req_strict' }),
    reasons: ({ thinking }) => ['enabled', 'adaptive'].includes(textOf(objectOf(thinking)['type'])),
    seal: sealedThinking,
  },
  'chat': CHAT,
  'signed-chat': {
    ...CHAT, rules: signedCallRules, seal: sealedCall,
    errorBody: ({ message }) => ({ error: { code: 400, message, status: 'INVALID_ARGUMENT' } }),
  },
  'responses': { rules: responsesRules, errorBody: chatError, reasons: ({ reasoning }) => objectOf(reasoning)['effort'] !== 'none', seal: sealedItems },
};

const REASONING: ReadonlySet<string> = new Set(['reasoning', 'reasoningSignature', 'laterReasoning']);

function unreasoned(reply: ScriptedReply): ScriptedReply {
  return Object.fromEntries(Object.entries(reply).filter(([name]) => !REASONING.has(name)));
}

const BAD_REQUEST = 400;

/** A vendor that refuses requests which break its published rules, in its own words, and that signs reasoning and calls. */
export class StrictVendor {
  readonly refusals: { readonly message: string; readonly request: JsonObject }[] = [];
  readonly #seals = new VendorSeals();

  constructor(private readonly format: VendorFormat) {}

  /** The body of the error, or `null` if the request breaks no rule. */
  refusalOf(body: JsonObject): JsonObject | null {
    for (const refusal of VENDORS[this.format].rules(body, this.#seals)) return VENDORS[this.format].errorBody(refusal);
    return null;
  }

  /** The reply with the signatures of the vendor. */
  sealed(reply: ScriptedReply): ScriptedReply {
    return VENDORS[this.format].seal(reply, this.#seals);
  }

  /** Refuses requests that break a rule, and answers others with `next`. The reply has no reasoning unless the request asks for it. */
  answers(next: (request: RecordedRequest) => ScriptedReply | Behaviour): Behaviour {
    return (request) => {
      const refusal = this.refusalOf(request.body);
      if (refusal !== null) {
        this.refusals.push({ message: textOf(objectOf(refusal['error'])['message']), request: request.body });
        return wholeReply(BAD_REQUEST, JSON.stringify(refusal));
      }
      const answer = next(request);
      if (typeof answer === 'function') return answer(request);
      return replies(this.sealed(VENDORS[this.format].reasons(request.body) ? answer : unreasoned(answer)))(request);
    };
  }
}
