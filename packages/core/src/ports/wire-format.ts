import type { WireFormatName } from '../billing/usage-record.js';
import type { GatewayError } from '../errors/gateway-error.js';
import type { ContextOverflow, ErrorText } from '../errors/refusal-details.js';
import type { CompletedGeneration } from '../generation/collect-generation.js';
import type { GenerationEventBatch } from '../generation/generation-event.js';
import type { GenerationRequest, RequestSource } from '../generation/generation-request.js';
import type { RequestLimits } from '../models/request-limits.js';
import type { AccountId, JsonObject, RequestId, TokenCount } from '../primitives/primitives.js';
import type { Instant } from '../primitives/time.js';
import type { ResponseToKeep, StoredResponse } from './response-store.js';

export interface DecodedRequest<Echo = unknown> {
  readonly generation: GenerationRequest;
  readonly delivery: 'whole' | 'stream';
  /** Whether the last event of a stream carries token counts. */
  readonly includeUsage: boolean;
  /** The client's name of the field that bounds the output. */
  readonly outputField: string;
  /** Values of the request that the response repeats or depends on; opaque outside the format. */
  readonly echo?: Echo;
}

/** Context of the installation and the caller. */
export interface DecodeTerms {
  readonly limits: RequestLimits;
  readonly accountId: AccountId;
  /** The stored responses that the request refers to, by id. */
  readonly stored: ReadonlyMap<string, StoredResponse>;
  /** True if they exceed `MAX_STORED_BYTES_OF_REQUEST`; `stored` is then incomplete. */
  readonly exceedsStored: boolean;
  /** Parsed texts of `stored`; otherwise they are parsed on demand. */
  readonly texts?: StoredTexts;
  /** Whether the installation stores responses if a request asks for it. */
  readonly keepsReplies: boolean;
}

/** Parses the texts of stored responses in steps, so that the event loop is not blocked. */
export interface StoredTexts {
  /** Parses texts of at least `characters` in total; returns false when none is left. */
  parseSome(characters: number): boolean;
}

export interface EncodeContext {
  readonly responseId: string;
  readonly createdAt: Instant;
  readonly requestId: RequestId;
  readonly includeUsage: boolean;
  /** From the decoded request. */
  readonly echo?: unknown;
}

/** One per streamed response; keeps only the state that its format needs. */
export interface StreamEncoder {
  /** The frames of the events in order; may be empty. */
  encode(events: GenerationEventBatch): string;
  /** The frames that end a broken stream; nothing follows them. */
  encodeError(error: GatewayError): string;
  /** The keep-alive of a silent stream, if it depends on earlier frames. */
  keepAlive?(): string;
}

export interface WireFormat {
  readonly name: WireFormatName;
  readonly responseIdPrefix: string;
  /** Sent while a stream is silent; clients ignore it. */
  readonly keepAliveFrame: string;
  /**
   * `source` describes how the body was written; without `terms`, the default limits apply. Throws
   * `GatewayError('invalid_request')` with the field path.
   */
  decodeRequest(body: unknown, source?: RequestSource | null, terms?: DecodeTerms): DecodedRequest;
  /** `outputField` is the request's own. */
  describeOverflow(overflow: ContextOverflow, outputField: string): ErrorText;
  /** JSON text, so that JSON written by the model is sent verbatim. */
  encodeResponse(generation: CompletedGeneration, context: EncodeContext): string;
  streamEncoder(context: EncodeContext): StreamEncoder;
  encodeError(error: GatewayError, requestId: RequestId): JsonObject;
}

/** For routes that only count tokens. */
export interface TokenCountFormat {
  decodeTokenCount(body: unknown, terms?: DecodeTerms): GenerationRequest;
  encodeTokenCount(inputTokens: TokenCount): JsonObject;
}

/** The stored responses that are needed to decode a request. */
export interface StoredReferences {
  /** The response that it continues, with all predecessors; `null` for none. */
  readonly previousId: string | null;
  /** Responses of which it references single items. */
  readonly responseIds: readonly string[];
}

/** For formats whose requests may refer to earlier responses. */
export interface StoringFormat {
  /** Not parsed yet. */
  textsOf(references: StoredReferences, found: Pick<DecodeTerms, 'stored' | 'exceedsStored'>): StoredTexts;
  /** Reads references only; `decodeRequest` validates the body. */
  referencesIn(body: unknown): StoredReferences;
  /** Whether the request asks to store the response. */
  wantsKeeping(context: EncodeContext): boolean;
  /** `null` if the request does not ask to store it. */
  keptForm(generation: CompletedGeneration, context: EncodeContext): ResponseToKeep | null;
  /** The request's own items in order, as the format lists them. */
  inputItemsOf(response: StoredResponse): readonly (JsonObject & { readonly id: string })[];
  /** Makes the end of the response state that it is stored. Call it before that end is encoded. */
  markKept(context: EncodeContext, form: ResponseToKeep): void;
}

/** Authenticated encryption of data that a client keeps for an account between requests. All gateways of an installation share the key. */
export interface ReasoningSeal {
  /** Returns printable ASCII without quotes or backslashes. */
  seal(accountId: AccountId, text: string): string;
  /** Returns `null` if the text was sealed for another account or installation, or is invalid. Never throws. */
  open(accountId: AccountId, sealed: string): string | null;
}
